import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { cleanUp } from '../../bench/cleanup.mjs';
import { startPostgres } from '../../bench/postgres.mjs';
import { parseConfig } from '../../src/config.js';
import { ConfigError } from '../../src/environment.js';
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

/** Returns how many lists of events the gateway has read from the primary and from the replica since its start. */
async function readCounts(): Promise<{ primary: number; replica: number }> {
  const metrics = await (await send('/metrics')).text();
  const countOf = (from: string) =>
    Number(new RegExp(`gateway_event_reads_total\\{from="${from}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
  return { primary: countOf('primary'), replica: countOf('replica') };
}

/** Searches until the replica is read from, because recent writes may not have reached it yet. */
async function searchOnReplica(query = '') {
  for (;;) {
    const before = await readCounts();
    const result = await search(query);
    const after = await readCounts();
    if (after.replica > before.replica && after.primary === before.primary) return result;
  }
}

const onPostgres = isPostgres ? test : test.skip;

onPostgres('a replica that is up to date → it is read from, with the results of the primary', async () => {
  const { etag, ...result } = await searchOnReplica();
  expect(result).toEqual({ status: 200, total: 100, newest: 'feature-updated' });
  await replica.kill();
  try {
    expect(await search()).toEqual({ etag, ...result });
    expect((await send('/api/admin/search/events?limit=5', { headers: { 'if-none-match': etag ?? '' } })).status).toBe(304);
  } finally {
    await replica.start();
  }
  expect(await searchOnReplica()).toEqual({ etag, ...result });
});

onPostgres('a creation while the replica lags behind → token and event can be read at once', async () => {
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
  expect(await searchOnReplica()).toMatchObject({ total: 101, newest: 'public-signup-token-created' });
});

onPostgres('a replica that lags behind → the feed has the events of the primary at once', async () => {
  const readFeed = async (after: string) =>
    (await (await send(`/v1/events/feed?after=${after}`)).json()) as {
      events: { type: string }[];
      next: string;
      upToDate: boolean;
    };
  const { next } = await readFeed('now');
  await run(replica, 'SELECT pg_wal_replay_pause()');
  try {
    await run(primary, `INSERT INTO events (type, created_by) VALUES ('feature-archived', 'x')`);
    const { events, upToDate } = await readFeed(next);
    expect([events.map(({ type }) => type), upToDate]).toEqual([['feature-archived'], true]);
  } finally {
    await run(replica, 'SELECT pg_wal_replay_resume()');
    await run(primary, `DELETE FROM events WHERE type = 'feature-archived'`);
  }
});

onPostgres('events are added, committed late or deleted → totals from the replica are exact', async () => {
  const insert = (ids: string) =>
    `INSERT INTO events (id, type, created_by) SELECT id, 'feature-updated', 'x' FROM generate_series(${ids}) AS id`;
  await run(primary, insert('5000, 5000'));
  expect((await searchOnReplica()).total).toBe(102);
  const late = new pg.Client({ connectionString: url });
  await late.connect();
  try {
    // Each late transaction takes ids below the watermark that is published meanwhile, and commits after that.
    for (let round = 0; round < 5; round += 1) {
      await late.query('BEGIN');
      await late.query(insert(`${4000 + round * 10}, ${4004 + round * 10}`));
      await run(primary, insert(`${6000 + round}, ${6000 + round}`));
      expect((await searchOnReplica()).total).toBe(102 + round * 6 + 1);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect((await searchOnReplica()).total).toBe(102 + round * 6 + 1);
      await run(replica, 'SELECT pg_wal_replay_pause()');
      await late.query('COMMIT');
      expect((await search()).total).toBe(102 + round * 6 + 6);
      await run(replica, 'SELECT pg_wal_replay_resume()');
      expect((await searchOnReplica()).total).toBe(102 + round * 6 + 6);
    }
  } finally {
    await late.end();
  }
  await run(primary, 'DELETE FROM events WHERE id BETWEEN 4000 AND 6999');
  expect((await searchOnReplica()).total).toBe(101);
});

onPostgres('the replica cancels queries to apply changes → they are read from the primary', async () => {
  const total = (await searchOnReplica()).total;
  await run(primary, `INSERT INTO events (type, created_by) SELECT 'feature-updated', 'many' FROM generate_series(1, 20000)`);
  const searches = Promise.all(Array.from({ length: 40 }, () => search('&query=zz')));
  await run(primary, "DELETE FROM events WHERE created_by = 'many'");
  await run(primary, 'VACUUM events');
  for (const { status } of await searches) expect(status).toBe(200);
  expect((await searchOnReplica()).total).toBe(total);
});

onPostgres('the replica becomes unavailable → all requests succeed; available again → it is used again', async () => {
  await searchOnReplica();
  await replica.kill();
  try {
    const results = await Promise.all(Array.from({ length: 50 }, () => search()));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await send('/readyz')).status).toBe(200);
  } finally {
    await replica.start();
  }
  expect((await searchOnReplica()).status).toBe(200);
});

onPostgres(
  'an export with three replicas, while a transaction writes → every page up to the end that the primary had',
  async () => {
    const replicaUrl = replica.urlOf('gateway');
    const fresh = await start([replicaUrl, replicaUrl, replicaUrl].join());
    const writer = new pg.Client({ connectionString: url });
    await writer.connect();
    try {
      const headers = { authorization: ADMIN, 'content-type': 'application/json' };
      const { headers: found } = await fetch(`${fresh.url}/v1/events/export`, { method: 'HEAD', headers });
      const upTo = Number(found.get('x-export-up-to'));
      expect(upTo).toBeGreaterThan(90);
      await writer.query(`BEGIN; INSERT INTO events (type, created_by) VALUES ('feature-created', 'open')`);
      const body = JSON.stringify({ query: `{ eventExport(first: 5, after: 0, upTo: ${upTo}) { upTo events { id } } }` });
      for (let page = 0; page < 6; page += 1) {
        const { data, errors } = (await (await fetch(`${fresh.url}/graphql`, { method: 'POST', headers, body })).json()) as {
          data: { eventExport: { upTo: number; events: object[] } };
          errors?: object[];
        };
        expect(errors).toBeUndefined();
        expect({ upTo: data.eventExport.upTo, events: data.eventExport.events.length }).toEqual({ upTo, events: 5 });
      }
    } finally {
      await writer.query('ROLLBACK');
      await writer.end();
      await fresh.stop();
    }
  },
);

onPostgres('a standby in DATABASE_URL → the feed and the export are 503 with the reason; searches work', async () => {
  const environment = { PORT: '0', LOG_LEVEL: 'silent', GRAPHIQL: 'false', DATABASE_URL: replica.urlOf('gateway') };
  const standby = await startGateway(parseConfig({ ...environment, INIT_ADMIN_API_TOKENS: ADMIN }));
  try {
    for (const path of ['/v1/events/feed?after=start', '/v1/events/export']) {
      const response = await fetch(`${standby.url}${path}`, { headers: { authorization: ADMIN } });
      const { message } = (await response.json()) as { message: string };
      expect([response.status, message]).toEqual([503, expect.stringContaining('The database accepts no changes now')]);
    }
    const search = await fetch(`${standby.url}/api/admin/search/events`, { headers: { authorization: ADMIN } });
    expect(search.status).toBe(200);
  } finally {
    await standby.stop();
  }
});

onPostgres('a promoted replica → not read from', async () => {
  const { total } = await searchOnReplica();
  await run(replica, 'SELECT pg_promote()');
  await run(replica, `INSERT INTO events (type, created_by) VALUES ('feature-updated', 'x')`);
  const before = await readCounts();
  for (let n = 0; n < 5; n += 1) expect((await search()).total).toBe(total);
  expect((await readCounts()).replica).toBe(before.replica);
});

onPostgres('a server that is not a replica of the database → a start error that names it without its password', async () => {
  const other = new URL(url);
  other.password = 'a-secret';
  const message = await start(other.href).catch((error: Error) => error.message);
  expect(message).toBe(
    `127.0.0.1:${primary.port} in DATABASE_REPLICA_URLS is not a streaming replica of the server in DATABASE_URL.`,
  );
});

test.each([
  [{ DATABASE_REPLICA_URLS: 'postgresql://replica/x' }, 'DATABASE_REPLICA_URLS requires DATABASE_URL'],
  [{ DATABASE_DIRECT_URL: 'postgresql://server/x' }, 'DATABASE_DIRECT_URL requires DATABASE_URL'],
  [{ DATABASE_URL: 'postgresql://x/x', DATABASE_REPLICA_URLS: 'x' }, 'must be a URL such as'],
  [
    {
      DATABASE_URL: 'postgresql://x/x',
      DATABASE_REPLICA_URLS: 'postgresql://y/x',
      DATABASE_SCHEMA: 'unleash',
      UNLEASH_URL: 'http://z',
    },
    'DATABASE_REPLICA_URLS requires DATABASE_SCHEMA own',
  ],
])('%j → ConfigError: %s', (env, words) => {
  expect(() => parseConfig(env)).toThrow(ConfigError);
  expect(() => parseConfig(env)).toThrow(words);
});
