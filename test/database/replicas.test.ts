import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { cleanUp } from '../../bench/cleanup.mjs';
import { startPostgres } from '../../bench/postgres.mjs';
import { ConfigError, parseConfig } from '../../src/config.js';
import { startGateway } from '../../src/gateway.js';
import { isPostgres } from '../support/test-database.js';

const ADMIN = 'replicas-admin-token';
const QUICK = { fsync: 'off', max_standby_streaming_delay: '200ms' };

type Postgres = Awaited<ReturnType<typeof startPostgres>>;
type Gateway = Awaited<ReturnType<typeof startGateway>>;

let primary: Postgres;
let replica: Awaited<ReturnType<Postgres['startReplica']>>;
let url: string;
let gateway: Gateway;

beforeAll(async () => {
  if (!isPostgres) return;
  primary = await startPostgres([], QUICK);
  url = await primary.createDatabase('gateway');
  replica = await primary.startReplica();
  gateway = await start(replica.urlOf('gateway'));
  await run(primary, `INSERT INTO events (type, created_by) SELECT 'feature-updated', 'somebody' FROM generate_series(1, 100)`);
});
afterAll(async () => {
  await gateway?.stop();
  await cleanUp();
});

const start = (replicaUrls: string): Promise<Gateway> =>
  startGateway(
    parseConfig({
      PORT: '0',
      LOG_LEVEL: 'silent',
      GRAPHIQL: 'false',
      INIT_ADMIN_API_TOKENS: ADMIN,
      DATABASE_URL: url,
      DATABASE_REPLICA_URLS: replicaUrls,
    }),
  );

async function run(server: Pick<Postgres, 'urlOf'>, sql: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: server.urlOf('gateway') });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${gateway.url}${path}`, {
    ...init,
    headers: { authorization: ADMIN, 'content-type': 'application/json', ...init.headers },
  });

const search = async (query = '') => {
  const response = await send(`/api/admin/search/events?limit=5${query}`);
  const { total, events } = (await response.json()) as { total: number; events: { type: string }[] };
  return { status: response.status, etag: response.headers.get('etag'), total, newest: events[0]?.type };
};

/** How many lists were read where, since the gateway started. */
async function readCounts(): Promise<{ primary: number; replica: number }> {
  const metrics = await (await send('/metrics')).text();
  const countOf = (from: string) =>
    Number(new RegExp(`gateway_event_reads_total\\{from="${from}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
  return { primary: countOf('primary'), replica: countOf('replica') };
}

/** Until the replica has everything: what was written a moment ago may be under way. */
async function caughtUp(): Promise<void> {
  const before = (await readCounts()).replica;
  do await search();
  while ((await readCounts()).replica === before);
}

const onPostgres = isPostgres ? test : test.skip;

onPostgres('a replica that has everything is read from, and answers what the primary would', async () => {
  await caughtUp();
  const before = await readCounts();
  const { etag, ...answer } = await search();
  expect(answer).toEqual({ status: 200, total: 100, newest: 'feature-updated' });
  expect((await readCounts()).replica).toBeGreaterThan(before.replica);
  expect((await send('/api/admin/search/events?limit=5', { headers: { 'if-none-match': etag ?? '' } })).status).toBe(304);
});

onPostgres('who has created an invitation finds it and its event at once, also where the replica is behind', async () => {
  await caughtUp();
  await run(replica, 'SELECT pg_wal_replay_pause()');
  try {
    const body = JSON.stringify({ name: 'x', expiresAt: '2099-01-01T00:00:00Z' });
    const created = await send('/api/admin/invite-link/tokens', { method: 'POST', body });
    expect(created.status).toBe(201);
    const before = await readCounts();
    expect(await search()).toMatchObject({ total: 101, newest: 'public-signup-token-created' });
    expect((await send(created.headers.get('location') ?? '')).status).toBe(200);
    expect((await readCounts()).replica).toBe(before.replica);
  } finally {
    await run(replica, 'SELECT pg_wal_replay_resume()');
  }
  await caughtUp();
  expect(await search()).toMatchObject({ total: 101, newest: 'public-signup-token-created' });
});

onPostgres('totals stay exact on either server while events are added, also below the newest, and deleted', async () => {
  const insert = (id: string) => run(primary, `INSERT INTO events (id, type, created_by) VALUES (${id}, 'feature-updated', 'x')`);
  const [{ count: before } = { count: 0 }] = (await run(primary, 'SELECT count(*)::int AS count FROM events')) as {
    count: number;
  }[];
  await insert('5000');
  expect((await search()).total).toBe(before + 1);
  for (let n = 1; n <= 100; n += 1) {
    await insert(String(4000 + n));
    expect((await search()).total).toBe(before + 1 + n);
    if (n % 25 === 0) await caughtUp();
  }
  await run(primary, 'DELETE FROM events WHERE id > 4000 AND id <= 4100');
  expect((await search()).total).toBe(before + 1);
});

onPostgres('a replica that goes away is not missed, and is used again once it is back', async () => {
  await caughtUp();
  await replica.kill();
  try {
    const answers = await Promise.all(Array.from({ length: 50 }, () => search()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await send('/readyz')).status).toBe(200);
  } finally {
    await replica.start();
  }
  await caughtUp();
});

onPostgres('a server that is no replica of the database is refused, and named without its password', async () => {
  const other = new URL(url);
  other.password = 'a-secret';
  const refusal = await start(other.href).catch((error: Error) => error.message);
  expect(refusal).toBe(
    `127.0.0.1:${primary.port} in DATABASE_REPLICA_URLS is no streaming replica of the server in DATABASE_URL.`,
  );
});

test.each([
  [{ DATABASE_REPLICA_URLS: 'postgresql://replica/x' }, 'DATABASE_REPLICA_URLS goes with DATABASE_URL'],
  [{ DATABASE_DIRECT_URL: 'postgresql://server/x' }, 'DATABASE_DIRECT_URL goes with DATABASE_URL'],
  [{ DATABASE_URL: 'postgresql://x/x', DATABASE_REPLICA_URLS: 'x' }, 'must be a URL such as'],
  [
    {
      DATABASE_URL: 'postgresql://x/x',
      DATABASE_REPLICA_URLS: 'postgresql://y/x',
      DATABASE_SCHEMA: 'unleash',
      UNLEASH_URL: 'http://z',
    },
    'DATABASE_REPLICA_URLS goes with DATABASE_SCHEMA own',
  ],
])('%j is refused: %s', (env, words) => {
  expect(() => parseConfig(env)).toThrow(ConfigError);
  expect(() => parseConfig(env)).toThrow(words);
});
