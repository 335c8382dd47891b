import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

/** The header that Chromium and Firefox send when a person opens a URL. */
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('a browser that opens a URL of a gateway without the console', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty', { GRAPHIQL: 'true', CONSOLE: 'false' });
  });
  afterAll(() => gateway.stop());

  const open = (path: string, method = 'GET') => gateway.send(path, { method, token: null, headers: NAVIGATION });

  test.each([
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/graphql'],
    ['HEAD', '/graphql'],
    ['GET', '/graphql/'],
    ['GET', '/graphql?'],
  ])('%s %s → 302 to the IDE, by a relative URL', async (method, path) => {
    const { status, headers } = await open(path, method);
    expect(status).toBe(302);
    const location = String(headers.location);
    expect(location).not.toMatch(/^\/|:/);
    expect(new URL(location, `${gateway.url}${path}`).href).toBe(`${gateway.url}/graphiql/`);
    expect((await open(new URL(location, `${gateway.url}${path}`).pathname)).text).toContain('<div id="root">');
  });

  test('/graphql with a query, or by POST → a request that needs a token', async () => {
    expect((await open('/graphql?query=%7B__typename%7D')).status).toBe(401);
    expect((await open('/graphql', 'POST')).status).toBe(401);
    const withToken = { headers: NAVIGATION };
    expect((await gateway.send('/graphql?query=%7B__typename%7D', withToken)).body.data).toEqual({ __typename: 'Query' });
  });

  test('a client that does not ask for HTML → 401 without a token, and 400 without a query', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      expect((await gateway.send('/graphql', { token: null, headers })).status).toBe(401);
      expect((await gateway.send('/graphql', { headers })).status).toBe(400);
    }
  });
});

test('without the IDE and the console → / is 404, and /graphql needs a token', async () => {
  const gateway = await startTestGateway('empty', { GRAPHIQL: 'false', CONSOLE: 'false' });
  try {
    expectError(await gateway.send('/', { token: null, headers: NAVIGATION }), 404, 'NotFoundError');
    expect((await gateway.send('/graphql', { token: null, headers: NAVIGATION })).status).toBe(401);
  } finally {
    await gateway.stop();
  }
});
