import { useState } from 'react';
import type { ConsoleInviteMutation } from '../../../generated/console/graphql.js';
import { useSession } from '../session/session.js';
import { Invitation } from './invitation.js';
import { InviteForm } from './invite-form.js';

export type CreatedInvitation = ConsoleInviteMutation['createPublicSignupToken'];

/** Creates an invite link, and shows it once. */
export function InvitePage() {
  const { viewer } = useSession();
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  return (
    <main className="page invite">
      <header>
        <h1>Invite link</h1>
        <p className="muted">People who sign up with the link get the Viewer role.</p>
      </header>
      {!viewer.canInvite && (
        <div className="notice">
          <div>
            <h2>You cannot create an invite link here</h2>
            <p>{viewer.inviteRefusal}</p>
          </div>
        </div>
      )}
      {viewer.canInvite && created && <Invitation created={created} onAnother={() => setCreated(null)} />}
      {viewer.canInvite && !created && <InviteForm onCreated={setCreated} />}
    </main>
  );
}
