import { GraphiQL } from 'graphiql';
import { useMemo, useState } from 'react';
import { loadApiToken, saveApiToken } from './api-token';
import { createExamples } from './examples';
import { createFetcher } from './fetcher';
import { TokenBar } from './token-bar';
import { TokenHint } from './token-hint';
import type { TokenStatus } from './token-status';

/** One use of a token. The same token entered again is another one: it may have become valid. */
interface Session {
  readonly token: string;
}

const EXAMPLES = createExamples(new Date());

export function App() {
  const [session, setSession] = useState<Session>(() => ({ token: loadApiToken() }));
  const [answer, setAnswer] = useState<{ session: Session; status: TokenStatus }>();
  // GraphiQL loads the schema anew whenever it gets another fetcher.
  const fetcher = useMemo(() => createFetcher(session.token, (status) => setAnswer({ session, status })), [session]);

  const status = currentStatus(session, answer);

  const startSession = (token: string) => {
    saveApiToken(token);
    setSession({ token });
  };

  return (
    <>
      <TokenBar token={session.token} status={status} onSubmit={startSession} />
      <main>
        <GraphiQL
          fetcher={fetcher}
          // null keeps GraphiQL from asking for the schema when there is no token to ask with
          schema={session.token === '' ? null : undefined}
          schemaDescription
          inputValueDeprecation
          defaultTabs={EXAMPLES}
          defaultEditorToolsVisibility="variables"
          // GraphiQL would keep them in localStorage, and somebody will put a token there
          shouldPersistHeaders={false}
        >
          {(status.kind === 'missing' || status.kind === 'refused') && (
            // In the result pane, where nothing moves when it goes: leaving the field may be a click on the run button.
            <GraphiQL.Footer>
              <TokenHint />
            </GraphiQL.Footer>
          )}
        </GraphiQL>
      </main>
    </>
  );
}

/** An answer that comes late, to an earlier token, says nothing of this one. */
function currentStatus(session: Session, answer: { session: Session; status: TokenStatus } | undefined): TokenStatus {
  if (session.token === '') return { kind: 'missing' };
  return answer?.session === session ? answer.status : { kind: 'checking' };
}
