import { type FormEvent, useId, useState } from 'react';
import type { GatewayFailure } from '../api/gateway-failure.js';
import { ROOT } from '../navigation/root.js';

interface SignInPageProps {
  readonly failure: GatewayFailure | null;
  readonly onSignIn: (token: string) => void;
}

/** Asks for an API token. The URL does not change, so the page that the user opened is shown after the sign-in. */
export function SignInPage({ failure, onSignIn }: SignInPageProps) {
  const [draft, setDraft] = useState('');
  const [inputId, helpId, failureId] = [useId(), useId(), useId()];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.trim() !== '') onSignIn(draft.trim());
  };
  return (
    <main className="sign-in">
      <h1>Sign in</h1>
      <p className="muted">See who changed what in your feature flags.</p>
      <form onSubmit={submit}>
        <label htmlFor={inputId}>API token</label>
        <input
          id={inputId}
          type="password"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the token is the one thing to enter on this page
          autoFocus
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
          aria-describedby={`${helpId} ${failureId}`}
          aria-invalid={failure !== null}
        />
        <p id={failureId} className="field-failure" role="alert">
          {failure?.message}
        </p>
        <button type="submit" className="button is-primary" disabled={draft.trim() === ''}>
          Sign in
        </button>
      </form>
      <p id={helpId} className="muted">
        The operator of {ROOT.host} creates tokens: <code>flag-admin-gateway token create --name me --role VIEWER</code>. On an
        Unleash database, use a personal access token of Unleash. Closing this tab removes the token.
      </p>
    </main>
  );
}
