import { type FocusEvent, type SubmitEvent, useId, useState } from 'react';
import { describeTokenStatus, type TokenStatus } from './token-status';

interface TokenBarProps {
  /** The token in use; an empty string if there is none. */
  readonly token: string;
  readonly status: TokenStatus;
  onSubmit(token: string): void;
}

/** The header of the page: the name of the gateway, the field for the API token, and the status of the token. */
export function TokenBar({ token, status, onSubmit }: TokenBarProps) {
  const [draft, setDraft] = useState(token);
  const [inputId, statusId] = [useId(), useId()];
  const isInUse = token !== '' && draft.trim() === token;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(draft.trim());
  };
  // A user who types a token and then clicks the run button wants to use the token.
  const submitOnLeave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLFormElement>) => {
    // While another window has the focus, the field stays the active element, and the user may come back to type the rest.
    const hasLeft = !currentTarget.contains(relatedTarget) && !currentTarget.contains(document.activeElement);
    if (hasLeft && draft.trim() !== token) onSubmit(draft.trim());
  };
  const forget = () => {
    setDraft('');
    onSubmit('');
  };

  return (
    <header className="token-bar">
      <h1>
        <img src="icon.svg" alt="" width="24" height="24" />
        flag-admin-gateway
      </h1>
      <form onSubmit={submit} onBlur={submitOnLeave}>
        <label htmlFor={inputId}>API token</label>
        <input
          id={inputId}
          type="password"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="Paste a token and press Enter"
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
          aria-describedby={statusId}
          aria-invalid={status.kind === 'rejected'}
        />
        {isInUse && status.kind !== 'rejected' && status.kind !== 'failed' ? (
          <button type="button" onClick={forget}>
            Forget
          </button>
        ) : (
          <button type="submit" className="is-primary" disabled={draft.trim() === ''}>
            {isInUse ? 'Try again' : 'Use token'}
          </button>
        )}
      </form>
      <p id={statusId} className="token-status" data-kind={status.kind} role="status" aria-live="polite">
        {describeTokenStatus(status)}
      </p>
    </header>
  );
}
