import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { parseConfig } from '../../src/config.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const TOKEN = 'stopping-token';
const SEARCH = '/api/admin/search/events?limit=1';
/** Long enough for some requests. */
const DELAY_MS = 1_500;
/** All that stopping may take, besides the delay. */
const STOP_MS = 10_000;

describe('a gateway that is told to stop', () => {
  let location: TestDatabase;
  let gateway: Gateway;
  beforeEach(async () => {
    location = await createTestDatabase('log');
  });
  afterEach(async () => {
    await gateway.stop();
    await location.drop();
  });

  const start = async (env: Readonly<Record<string, string>>) => {
    const config = parseConfig({
      PORT: '0',
      GRAPHIQL: 'false',
      LOG_LEVEL: 'silent',
      INIT_ADMIN_API_TOKENS: TOKEN,
      ...location.env,
      ...env,
    });
    gateway = await startGateway(config);
  };
  const ask = (path: string) => fetch(`${gateway.url}${path}`, { headers: { authorization: TOKEN } });

  test('says that it is not ready, and serves on until a balancer has noticed', async () => {
    await start({ STOP_DELAY_MS: String(DELAY_MS) });
    const stopped = gateway.stop();
    expect((await ask('/readyz')).status).toBe(503);
    expect((await ask('/livez')).status).toBe(200);
    const answer = await ask(SEARCH);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
    await expect(ask(SEARCH)).rejects.toThrow();
  });

  test('told again → the same end', async () => {
    await start({});
    await Promise.all([gateway.stop(), gateway.stop()]);
    await expect(ask('/livez')).rejects.toThrow();
  });

  (isPostgres ? test : test.skip)('finishes what is in flight', async () => {
    await start({});
    const blocker = new pg.Client({ connectionString: location.env.DATABASE_URL });
    await blocker.connect();
    await ask(SEARCH);
    await blocker.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
    const answer = ask('/api/admin/search/events?query=ab');
    const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass`;
    while ((await blocker.query(waits)).rowCount === 0);
    const stopped = gateway.stop();
    await blocker.query('ROLLBACK');
    expect((await answer).status).toBe(200);
    await stopped;
    await blocker.end();
  });

  (isPostgres ? test : test.skip)('ends what does not end in time', async () => {
    await start({ STATEMENT_TIMEOUT_MS: '0' });
    const blocker = new pg.Client({ connectionString: location.env.DATABASE_URL });
    await blocker.connect();
    await ask(SEARCH);
    await blocker.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
    const answer = ask('/api/admin/search/events?query=ab').then(
      ({ status }) => status,
      () => 'cut off',
    );
    const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass`;
    while ((await blocker.query(waits)).rowCount === 0);
    const startedAt = performance.now();
    await gateway.stop();
    expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
    expect([503, 'cut off']).toContain(await answer);
    await blocker.end();
  });
});
