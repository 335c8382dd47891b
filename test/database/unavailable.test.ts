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
  ['a readiness check', '/readyz', {}],
];

(isPostgres ? describe : describe.skip)('while the database is unavailable', () => {
  let testDatabase: TestDatabase;
  let proxy: DatabaseProxy;
  let gateway: TestGateway;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('log');
    proxy = await startDatabaseProxy('url' in testDatabase.location ? testDatabase.location.url : '');
    gateway = await startTestGateway('empty', { DATABASE_URL: proxy.url });
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await gateway.stop();
    await proxy.cut();
    await testDatabase.drop();
  });

  const expectAllUnavailable = async () => {
    for (const [what, path, options] of REQUESTS) {
      const { status, headers, body } = await gateway.send(path, options);
      const error = body.errors ? body.errors[0].extensions : body;
      expect({ what, status, name: error.name }).toEqual({ what, status: 503, name: 'ServiceUnavailableError' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await gateway.send('/livez')).status).toBe(200);
  };
  /** Waits until the gateway notices. The soak tests check how soon it does, because test machines are too slow for that. */
  const waitFor = async (status: 200 | 503) => {
    // A request without a token gets 503 only once the gateway knows that the database is unavailable; until then, it gets 401.
    const token = status === 200 ? gateway.adminToken : null;
    while ((await gateway.send(SEARCH, { token })).status !== status);
  };

  test.each<[string, () => unknown]>([
    ['the server stops', () => proxy.cut()],
    ['the host vanishes', () => proxy.freeze()],
  ])('%s → 503 with Retry-After for every request; available again → requests succeed', async (_, breakConnection) => {
    await waitFor(200);
    await breakConnection();
    await waitFor(503);
    await expectAllUnavailable();
    await proxy.restore();
    await waitFor(200);
    expect((await gateway.send(SEARCH)).status).toBe(200);
    expect((await gateway.send('/api/admin/invite-link/tokens', creation)).status).toBe(201);
  });

  test('the host vanishes while requests are in flight → 503 long before the statement timeout', async () => {
    await waitFor(200);
    proxy.freeze();
    const responses = await Promise.all([SEARCH, GRAPHQL].map((path) => gateway.send(path)));
    expect(responses.map(({ status }) => status)).toEqual([503, 503]);
  });
});
