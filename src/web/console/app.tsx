import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { TopBar } from './navigation/top-bar.js';
import { usePage } from './navigation/use-page.js';
import { Pages } from './pages.js';
import { ZoneProvider } from './preferences/time-zone.js';
import { SessionProvider, useSignIn } from './session/session.js';
import { SignInPage } from './session/sign-in-page.js';
import { Shortcuts } from './shortcuts/shortcuts.js';

/** The query client does not retry. `FailureNotice` retries after a temporary failure, and has a button to retry. */
const createClient = () => new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });

export function App() {
  const [client] = useState(createClient);
  return (
    <QueryClientProvider client={client}>
      <ZoneProvider>
        <SignedInPages />
      </ZoneProvider>
    </QueryClientProvider>
  );
}

/** Shows the page of the URL to a signed-in user, and the sign-in page to others. */
function SignedInPages() {
  const { state, signIn } = useSignIn();
  const { route } = usePage();
  if (state.kind === 'checking')
    return (
      <p className="visually-hidden" role="status">
        Signing in…
      </p>
    );
  if (state.kind === 'signed out') return <SignInPage failure={state.failure} onSignIn={signIn} />;
  return (
    <SessionProvider session={state.session}>
      <TopBar />
      <Shortcuts />
      <Pages route={route} />
    </SessionProvider>
  );
}
