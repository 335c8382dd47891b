import { GraphiQL } from 'graphiql';
import { useEffect, useMemo, useState } from 'react';
import { loadApiToken, saveApiToken } from './api-token';
import { createExamples } from './examples';
import { createFetcher, readViewer } from './fetcher';
import { TokenBar } from './token-bar';
import { TokenHint } from './token-hint';
import type { TokenStatus } from './token-status';
import type { Viewer } from './viewer';

/** One use of a token. Entering the same token again starts a new session, since the token may have become valid. */
interface Session {
  readonly token: string;
}

const EXAMPLES = createExamples(new Date());

/** In a narrow window, the editor of the variables would leave little room for the result. narrow.css uses the same width. */
const IS_NARROW = matchMedia('(max-width: 640px)').matches;

export function App() {
  const [session, setSession] = useState<Session>(() => ({ token: loadApiToken() }));
  const [latest, setLatest] = useState<{ session: Session; status: TokenStatus }>();
  // The fetcher is memoized, because GraphiQL loads the schema again whenever it gets a new fetcher.
  const fetcher = useMemo(() => createFetcher(session.token, (status) => setLatest({ session, status })), [session]);

  const status = currentStatus(session, latest);
  const viewer = useViewer(session, status);

  const startSession = (token: string) => {
    saveApiToken(token);
    setSession({ token });
  };

  return (
    <>
      <TokenBar token={session.token} status={viewer ? { kind: 'accepted', viewer } : status} onSubmit={startSession} />
      <main>
        <GraphiQL
          fetcher={fetcher}
          // null keeps GraphiQL from loading the schema while there is no token
          schema={session.token === '' ? null : undefined}
          schemaDescription
          inputValueDeprecation
          defaultTabs={EXAMPLES}
          defaultEditorToolsVisibility={IS_NARROW ? false : 'variables'}
          // GraphiQL would store headers in localStorage, and a user may put a token into them
          shouldPersistHeaders={false}
        >
          {(status.kind === 'missing' || status.kind === 'rejected') && (
            // The hint is in the result pane, so that its removal during a click on the run button does not move that button.
            <GraphiQL.Footer>
              <TokenHint />
            </GraphiQL.Footer>
          )}
        </GraphiQL>
      </main>
    </>
  );
}

/** Reads the rights of the token once the gateway has accepted it. Returns null until then, and while the rights are unknown. */
function useViewer(session: Session, { kind }: TokenStatus): Viewer | null {
  const [known, setKnown] = useState<{ session: Session; viewer: Viewer | null }>();
  const isKnown = known?.session === session;
  useEffect(() => {
    if (kind !== 'accepted' || isKnown) return;
    void readViewer(session.token).then((viewer) => setKnown({ session, viewer }));
  }, [session, kind, isKnown]);
  return isKnown && kind === 'accepted' ? known.viewer : null;
}

/** Returns the status of the current session. Ignores a status that a late response set for an earlier session. */
function currentStatus(session: Session, latest: { session: Session; status: TokenStatus } | undefined): TokenStatus {
  if (session.token === '') return { kind: 'missing' };
  return latest?.session === session ? latest.status : { kind: 'checking' };
}
