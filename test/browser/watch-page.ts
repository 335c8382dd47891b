import type { Page, Request } from 'playwright-core';

export interface PageWatch {
  /** Console errors, uncaught exceptions, and violations of the content security policy. */
  readonly errors: string[];
  /** Every request of the page and its workers. */
  readonly requests: Request[];
}

/** Records the errors and the requests of `page` from now on. */
export async function watchPage(page: Page): Promise<PageWatch> {
  const watch: PageWatch = { errors: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error') watch.errors.push(message.text());
  });
  page.on('pageerror', ({ message }) => watch.errors.push(message));
  page.on('request', (request) => watch.requests.push(request));
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    console.error('Blocked by ' + violatedDirective + ': ' + blockedURI);
  })`);
  return watch;
}

/** Returns the operation and the token of each GraphQL request so far. */
export async function graphqlRequests({ requests }: PageWatch) {
  const sent = requests.filter((request) => new URL(request.url()).pathname === '/graphql');
  return Promise.all(
    sent.map(async (request) => ({
      operationName: (request.postDataJSON() as { operationName: string }).operationName,
      authorization: await request.headerValue('authorization'),
    })),
  );
}
