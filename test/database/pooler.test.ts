import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { cleanUp } from '../../bench/cleanup.mjs';
import { startPooler } from '../../soak/beside.mjs';
import { parseConfig } from '../../src/config.js';
import { openDatabase } from '../../src/database/open.js';
import { startGateway } from '../../src/gateway.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const ADMIN = 'pooler-admin-token';
/** Whether PgBouncer is installed: it is a Debian package, which `.ci/run` installs. */
const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0;
const throughPooler = isPostgres && hasPooler ? test : test.skip;

let testDatabase: TestDatabase;
let direct: string;
let pooled: string;
const gateways: Awaited<ReturnType<typeof startGateway>>[] = [];

beforeAll(async () => {
  if (!isPostgres || !hasPooler) return;
  testDatabase = await createTestDatabase('nothing');
  direct = testDatabase.env['DATABASE_URL'] ?? '';
  pooled = (await startPooler(direct)).url;
  const env = { PORT: '0', LOG_LEVEL: 'silent', GRAPHIQL: 'false', INIT_ADMIN_API_TOKENS: ADMIN };
  for (let n = 0; n < 2; n += 1)
    gateways.push(await startGateway(parseConfig({ ...env, DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct })));
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await cleanUp();
  await testDatabase?.drop();
});

async function setTimeLimit(name: 'statement_timeout' | 'lock_timeout', time: string): Promise<void> {
  const client = new pg.Client({ connectionString: direct });
  await client.connect();
  await client.query(`ALTER DATABASE "${new URL(direct).pathname.slice(1)}" SET ${name} = '${time}'`);
  await client.end();
}

const send = async (n: number, path: string, init: RequestInit = {}) => {
  const headers = { authorization: ADMIN, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(`${gateways[n % 2]?.url}${path}`, { ...init, headers });
  return {
    status: response.status,
    body: (await response.json()) as { total: number; secret: string; next: string; events: { id: number; createdAt: string }[] },
  };
};

throughPooler(
  'two gateways share the connections of a pooler → correct creations, idempotency keys, searches, totals and times',
  async () => {
    const body = JSON.stringify({ name: 'x', expiresAt: '2099-01-01T00:00:00Z' });
    const create = (n: number, key: string) =>
      send(n, '/api/admin/invite-link/tokens', { method: 'POST', body, headers: { 'idempotency-key': key } });
    const startedAt = Date.now();
    const created = await Promise.all(Array.from({ length: 60 }, (_, n) => create(n, `key-${n % 20}`)));
    expect(created.map(({ status }) => status)).toEqual(Array(60).fill(201));
    expect(new Set(created.map(({ body: { secret } }) => secret)).size).toBe(20);

    const searches = await Promise.all(
      Array.from({ length: 100 }, (_, n) => send(n, `/api/admin/search/events?limit=5&offset=${n % 10}`)),
    );
    expect(searches.map(({ status, body: { total, events } }) => [status, total, events.length])).toEqual(
      Array(100).fill([200, 20, 5]),
    );
    const times = searches.flatMap(({ body: { events } }) => events.map(({ createdAt }) => Date.parse(createdAt)));
    // A session in another time zone would be off by at least half an hour.
    expect(times.every((time) => Math.abs(time - startedAt) < 600_000)).toBe(true);
  },
);

throughPooler('a cursor of one gateway → the feed of the other continues after it', async () => {
  const readFeed = async (n: number, after: string) => (await send(n, `/v1/events/feed?after=${after}`)).body;
  const whole = await readFeed(0, 'start');
  const { body: log } = await send(1, '/api/admin/search/events?limit=1000');
  const ids = log.events.map(({ id }) => id).sort((one, other) => one - other);
  expect(whole.events.map(({ id }) => id)).toEqual(ids);
  const body = JSON.stringify({ name: 'y', expiresAt: '2099-01-01T00:00:00Z' });
  await send(0, '/api/admin/invite-link/tokens', { method: 'POST', body });
  const { events } = await readFeed(1, whole.next);
  expect(events).toHaveLength(1);
  expect(events[0]?.id).toBeGreaterThan(ids.at(-1) ?? 0);
});

throughPooler('a statement_timeout of one second → cancels reads, but neither work under a lock nor migrations', async () => {
  await setTimeLimit('statement_timeout', '1s');
  // A new pooler has no connections with the previous setting.
  const { url } = await startPooler(direct);
  const database = await openDatabase({ url, directUrl: direct });
  try {
    const sleep = { text: 'SELECT pg_sleep(1.5)', values: [] };
    await expect(database.read(sleep)).rejects.toMatchObject({ code: '57014' });
    expect(await database.withTryLock(1, async (execute) => void (await execute(sleep.text)))).toBe(true);
    await database.withLock(1, (execute) => execute(sleep.text));
  } finally {
    await database.close();
  }
});

throughPooler('a lock_timeout of half a second → limits the wait of reads, but not of work under a lock', async () => {
  await setTimeLimit('lock_timeout', '500ms');
  const { url } = await startPooler(direct);
  const database = await openDatabase({ url, directUrl: direct });
  const other = new pg.Client({ connectionString: direct });
  try {
    await other.connect();
    await other.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE; SELECT pg_advisory_xact_lock(1)');
    const locked = database.withLock(1, (_, read) =>
      read<{ count: number }>({ text: 'SELECT count(*)::int FROM events', values: [] }),
    );
    await expect(database.read({ text: 'SELECT FROM events', values: [] })).rejects.toMatchObject({ code: '55P03' });
    await other.query('COMMIT');
    expect(await locked).toHaveLength(1);
  } finally {
    await other.end();
    await database.close();
  }
});
