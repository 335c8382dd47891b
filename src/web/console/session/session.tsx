import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { ConsoleViewerDocument, type ConsoleViewerQuery } from '../../../generated/console/graphql.js';
import { loadApiToken, saveApiToken } from '../../ide/api-token.js';
import { runDocument, type Token } from '../api/gateway-client.js';
import { GatewayFailure, toFailure } from '../api/gateway-failure.js';

export type Viewer = ConsoleViewerQuery['viewer'];

/** A user whose rights are known. */
export interface Session {
  readonly token: Token;
  readonly viewer: Viewer;
  readonly signOut: () => void;
}

export type SessionState =
  | { readonly kind: 'checking' }
  /** `failure` says why the last token was not accepted; null if no token was sent. */
  | { readonly kind: 'signed out'; readonly failure: GatewayFailure | null }
  | { readonly kind: 'signed in'; readonly session: Session };

/** Whether this gateway accepts the session cookie of Unleash. The gateway writes this into the page. */
const ACCEPTS_SESSIONS = document.documentElement.dataset['sessions'] === 'true';

const SessionContext = createContext<Session | null>(null);

/** Returns the session of the signed-in user. @throws Error outside of a `SessionProvider` */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('Only pages of a signed-in user have a session.');
  return session;
}

export function SessionProvider({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Reads the rights of the token of this tab, or of the session cookie if there is no token. */
export function useSignIn(): { readonly state: SessionState; readonly signIn: (token: Token) => void } {
  const client = useQueryClient();
  const [credential, setCredential] = useState(() => ({ token: loadApiToken(), attempt: 0 }));
  const { token, attempt } = credential;
  const isSent = token !== '' || ACCEPTS_SESSIONS;
  const viewer = useQuery({
    queryKey: ['viewer', token, attempt],
    queryFn: ({ signal }) => runDocument(ConsoleViewerDocument, {}, { token, signal }),
    enabled: isSent,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [rejected, setRejected] = useState<{ readonly attempt: number; readonly failure: GatewayFailure } | null>(null);
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query }) => {
        const { error } = query.state;
        if (error instanceof GatewayFailure && error.status === 401) setRejected({ attempt, failure: error });
      }),
    [client, attempt],
  );
  const signIn = useCallback(
    (next: Token) => {
      saveApiToken(next);
      // Removes the cached data of the previous token, to which the next token may have no access.
      client.clear();
      setCredential((previous) => ({ token: next, attempt: previous.attempt + 1 }));
    },
    [client],
  );
  const state = useMemo<SessionState>(() => {
    // The gateway can reject a later request, because an accepted token can expire or be revoked at any time.
    if (rejected?.attempt === attempt) return { kind: 'signed out', failure: token === '' ? null : rejected.failure };
    if (viewer.data) {
      const signOut = () => signIn('');
      return { kind: 'signed in', session: { token, viewer: viewer.data.viewer, signOut } };
    }
    if (isSent && !viewer.isError) return { kind: 'checking' };
    const isAsked = token !== '' && viewer.isError;
    return { kind: 'signed out', failure: isAsked ? toFailure(viewer.error) : null };
  }, [viewer.data, viewer.isError, viewer.error, rejected, attempt, token, isSent, signIn]);
  return { state, signIn };
}
