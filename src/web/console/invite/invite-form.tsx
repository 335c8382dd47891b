import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ConsoleInviteDocument } from '../../../generated/console/graphql.js';
import { runDocument } from '../api/gateway-client.js';
import { toFailure } from '../api/gateway-failure.js';
import { useZone } from '../preferences/time-zone.js';
import { useSession } from '../session/session.js';
import { formatAbsolute } from '../time/format-time.js';
import type { CreatedInvitation } from './invite-page.js';
import { newIdempotencyKey, PRESETS, toEnd } from './invite-request.js';

/** The form for an invite link. If the gateway accepts idempotency keys, all attempts send the same key and create one link. */
export function InviteForm({ onCreated }: { readonly onCreated: (created: CreatedInvitation) => void }) {
  const { token, viewer } = useSession();
  const { timeZone } = useZone();
  const [name, setName] = useState('');
  const [days, setDays] = useState<number>(7);
  const [now] = useState(() => Date.now());
  const [key] = useState(newIdempotencyKey);
  const nameId = useId();
  const expiresAt = toEnd(now, days);
  const creation = useMutation({
    mutationFn: () => {
      const variables = {
        input: { name: name.trim(), expiresAt },
        ...(viewer.acceptsIdempotencyKeys && { idempotencyKey: key }),
      };
      return runDocument(ConsoleInviteDocument, variables, { token });
    },
    onSuccess: ({ createPublicSignupToken }) => onCreated(createPublicSignupToken),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !creation.isPending) creation.mutate();
  };
  const failure = creation.isError ? toFailure(creation.error) : null;
  return (
    <form className="invite-form" onSubmit={submit}>
      <label htmlFor={nameId}>Name, for display only</label>
      <input
        id={nameId}
        className="text-field"
        type="text"
        autoComplete="off"
        required
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset>
        <legend>Valid for</legend>
        {PRESETS.map(({ label, days: preset }) => (
          <label key={preset}>
            <input type="radio" name="days" checked={days === preset} onChange={() => setDays(preset)} />
            {label}
          </label>
        ))}
      </fieldset>
      <p className="muted">The link expires on {formatAbsolute(new Date(expiresAt), timeZone)}.</p>
      {failure && (
        <p className="field-failure" role="alert">
          {failure.message} {failure.logId !== null && <span className="muted">(id in the log: {failure.logId})</span>}
        </p>
      )}
      <button type="submit" className="button is-primary" disabled={name.trim() === '' || creation.isPending}>
        {failure ? 'Try again' : 'Create the link'}
      </button>
    </form>
  );
}
