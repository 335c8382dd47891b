import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ConsoleInvitationDocument } from '../../../generated/console/graphql.js';
import { runDocument } from '../api/gateway-client.js';
import { toFailure } from '../api/gateway-failure.js';
import { CopyButton } from '../event/copy-button.js';
import { useSession } from '../session/session.js';
import { FailureNotice } from '../states/failure-notice.js';
import { TimeText } from '../timeline/time-text.js';
import type { CreatedInvitation } from './invite-page.js';

interface InvitationProps {
  readonly created: CreatedInvitation;
  readonly onAnother: () => void;
}

/** A created invite link with its state. The link is only in memory, and is lost when the user leaves the page. */
export function Invitation({ created, onAnother }: InvitationProps) {
  const { token } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['invitation', created.secret],
    queryFn: ({ signal }) => runDocument(ConsoleInvitationDocument, { secret: created.secret }, { token, signal }),
    initialData: { signupToken: created },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { name, url, enabled, expiresAt, role, users } = data.signupToken ?? created;
  return (
    <section className="invitation" aria-label="The created link">
      <h2 ref={heading} tabIndex={-1}>
        The link is ready
      </h2>
      <p>Copy it now: the console does not show it again.</p>
      <p className="invite-link">
        <code>{url}</code>
        <CopyButton text={() => url ?? ''} label="Copy the link" isLabeled />
      </p>
      <dl className="properties">
        <div>
          <dt>Name</dt>
          <dd>{name}</dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>{enabled ? 'Active' : 'Not active'}</dd>
        </div>
        <div>
          <dt>Expires</dt>
          <dd>
            <TimeText instant={expiresAt} form="full" />
          </dd>
        </div>
        <div>
          <dt>Role</dt>
          <dd>{role.name}</dd>
        </div>
        <div>
          <dt>Joined</dt>
          <dd>
            {users.length === 0
              ? 'nobody yet'
              : users.map((user) => user.name ?? user.username ?? user.email ?? `user ${user.id}`).join(', ')}
          </dd>
        </div>
      </dl>
      {error && <FailureNotice failure={toFailure(error)} what="The state of the link" onRetry={() => void refetch()} />}
      <p className="invite-actions">
        <button type="button" className="button" onClick={() => void refetch()} disabled={isFetching}>
          Refresh its state
        </button>
        <button type="button" className="button" onClick={onAnother}>
          Create another link
        </button>
      </p>
    </section>
  );
}
