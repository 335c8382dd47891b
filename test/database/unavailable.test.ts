import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';
import { type RequestOptions, startTestGateway, type TestGateway } from '../support/test-gateway.js';

const GRAPHQL = `/graphql?query=${encodeURIComponent('{ events(first: 1) { nodes { id } } }')}`;
const SEARCH = '/api/admin/search/events?limit=1';
const creation = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'a', expiresAt: '2099-01-01T00:00:00Z' }),
};
const REQUESTS: readonly [string, string, RequestOptions][] = [
  ['a read over REST', SEARCH, {}],
  ['a read over GraphQL', GRAPHQL, {}],
  ['a creation', '/api/admin/invite-link/tokens', creation],
  ['a wrong token', SEARCH, { token: 'flaggw_wrong' }],
  ['no token', SEARCH, { token: null }],
  ['whether it is ready', '/readyz', {}],
];

(isPostgres ? describe : describe.skip)('while the database is away', () => {
  let location: TestDatabase;
  let proxy: DatabaseProxy;
  let gateway: TestGateway;
  beforeAll(async () => {
    location = await createTestDatabase('log');
    proxy = await startDatabaseProxy('url' in location.location ? location.location.url : '');
    gateway = await startTestGateway('empty', { DATABASE_URL: proxy.url });
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await gateway.stop();
    await proxy.cut();
    await location.drop();
  });

  const expectAllAway = async () => {
    for (const [what, path, options] of REQUESTS) {
      const { status, headers, body } = await gateway.send(path, options);
      const error = body.errors ? body.errors[0].extensions : body;
      expect({ what, status, name: error.name }).toEqual({ what, status: 503, name: 'ServiceUnavailableError' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await gateway.send('/livez')).status).toBe(200);
  };
  /** Until the gateway knows. How soon it must is for the soak: a machine that runs tests is no clock. */
  const waitFor = async (status: 200 | 503) => {
    // Of a request without a token, only what is known of the database is told before that.
    const token = status === 200 ? gateway.adminToken : null;
    while ((await gateway.send(SEARCH, { token })).status !== status);
  };

  test.each<[string, () => unknown]>([
    ['stopped', () => proxy.cut()],
    ['without a word', () => proxy.freeze()],
  ])('%s → every request is 503 with Retry-After; served again once it is back', async (_, goAway) => {
    await waitFor(200);
    await goAway();
    await waitFor(503);
    await expectAllAway();
    await proxy.restore();
    await waitFor(200);
    expect((await gateway.send(SEARCH)).status).toBe(200);
    expect((await gateway.send('/api/admin/invite-link/tokens', creation)).status).toBe(201);
  });

  test('what is in flight when it vanishes is answered 503, long before a query may take that long', async () => {
    await waitFor(200);
    proxy.freeze();
    const answers = await Promise.all([SEARCH, GRAPHQL].map((path) => gateway.send(path)));
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });
});
