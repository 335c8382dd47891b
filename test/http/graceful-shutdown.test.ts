import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { parseConfig } from '../../src/config.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const TOKEN = 'stopping-token';
const SEARCH = '/api/admin/search/events?limit=1';
/** Leaves enough time for some requests. */
const DELAY_MS = 1_500;
/** The longest time that stopping may take, without the delay. */
const STOP_MS = 10_000;

describe('graceful shutdown', () => {
  let testDatabase: TestDatabase;
  let gateway: Gateway;
  beforeEach(async () => {
    testDatabase = await createTestDatabase('log');
  });
  afterEach(async () => {
    await gateway.stop();
    await testDatabase.drop();
  });

  const start = async (env: Readonly<Record<string, string>>) => {
    const config = parseConfig({
      PORT: '0',
      GRAPHIQL: 'false',
      LOG_LEVEL: 'silent',
      INIT_ADMIN_API_TOKENS: TOKEN,
      ...testDatabase.env,
      ...env,
    });
    gateway = await startGateway(config);
  };
  const get = (path: string) => fetch(`${gateway.url}${path}`, { headers: { authorization: TOKEN } });

  test('during STOP_DELAY_MS → not ready, but still serves, so that a load balancer notices', async () => {
    await start({ STOP_DELAY_MS: String(DELAY_MS) });
    const stopped = gateway.stop();
    expect((await get('/readyz')).status).toBe(503);
    expect((await get('/livez')).status).toBe(200);
    const response = await get(SEARCH);
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
    await expect(get(SEARCH)).rejects.toThrow();
  });

  test('stopped twice → both calls end', async () => {
    await start({});
    await Promise.all([gateway.stop(), gateway.stop()]);
    await expect(get('/livez')).rejects.toThrow();
  });

  (isPostgres ? test : test.skip)('a request in flight → completed', async () => {
    await start({});
    const blocker = new pg.Client({ connectionString: testDatabase.env.DATABASE_URL });
    await blocker.connect();
    await get(SEARCH);
    await blocker.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
    const response = get('/api/admin/search/events?query=ab');
    const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass`;
    while ((await blocker.query(waits)).rowCount === 0);
    const stopped = gateway.stop();
    await blocker.query('ROLLBACK');
    expect((await response).status).toBe(200);
    await stopped;
    await blocker.end();
  });

  (isPostgres ? test : test.skip)('a request that does not end in time → 503 or cut off', async () => {
    await start({ STATEMENT_TIMEOUT_MS: '0' });
    const blocker = new pg.Client({ connectionString: testDatabase.env.DATABASE_URL });
    await blocker.connect();
    await get(SEARCH);
    await blocker.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
    const response = get('/api/admin/search/events?query=ab').then(
      ({ status }) => status,
      () => 'cut off',
    );
    const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass`;
    while ((await blocker.query(waits)).rowCount === 0);
    const startedAt = performance.now();
    await gateway.stop();
    expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
    expect([503, 'cut off']).toContain(await response);
    await blocker.end();
  });
});
