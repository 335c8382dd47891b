import type { Page, Request } from 'playwright-core';

export interface PageWatch {
  /** What was written to the console as an error, what was thrown and not caught, and what the content security policy blocked. */
  readonly errors: string[];
  /** Every request of the page and its workers. */
  readonly requests: Request[];
}

/** Notes all that goes wrong in `page` from now on, and all that it asks for. */
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

/** The GraphQL requests so far: the operation and the token of each. */
export async function graphqlRequests({ requests }: PageWatch) {
  const sent = requests.filter((request) => new URL(request.url()).pathname === '/graphql');
  return Promise.all(
    sent.map(async (request) => ({
      operationName: (request.postDataJSON() as { operationName: string }).operationName,
      authorization: await request.headerValue('authorization'),
    })),
  );
}
