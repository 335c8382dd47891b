import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { isPostgres } from '../support/test-database.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const SEARCHES = [
  '',
  '?query=bulk',
  '?feature=IS:bulk-flag',
  '?project=IS_ANY_OF:default,other',
  '?offset=150&limit=20',
  '?from=IS:2026-01-01',
];

let gateway: TestGateway;
let client: pg.Client;
beforeAll(async () => {
  if (!isPostgres) return;
  gateway = await startTestGateway('log');
  client = new pg.Client({ connectionString: gateway.databaseEnv.DATABASE_URL });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await gateway?.stop();
});

const onPostgres = isPostgres ? test : test.skip;
const search = async (query: string) => (await gateway.send(`/api/admin/search/events${query}`)).body;
const rowsOf = async (sql: string) => (await client.query(sql)).rows;

onPostgres('a partitioned log → the same results; new events get their partition; a detached partition is gone', async () => {
  const before = await Promise.all(SEARCHES.map(search));
  const file = new URL('../../docs/partitions.sql', import.meta.url).pathname;
  execFileSync('psql', ['-q', '-v', 'size=1000000', '-v', 'partitions=2', '-f', file, gateway.databaseEnv.DATABASE_URL ?? ''], {
    stdio: 'pipe',
  });
  expect(await Promise.all(SEARCHES.map(search))).toEqual(before);
  expect(
    await rowsOf(
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'events'::regclass AND NOT indisvalid`,
    ),
  ).toEqual([]);

  const { total } = await search('');
  await client.query(`SELECT setval('events_id_seq', 1500000)`);
  await client.query(`INSERT INTO events (type, created_by) VALUES ('feature-created', 'x')`);
  expect(await rowsOf('SELECT tableoid::regclass::text AS partition FROM events WHERE id > 1000000')).toEqual([
    { partition: 'events_from_1000000' },
  ]);
  expect((await search('')).total).toBe(total + 1);
  await client.query('DELETE FROM events WHERE id = (SELECT min(id) FROM events)');
  expect((await search('')).total).toBe(total);

  await client.query('ALTER TABLE events DETACH PARTITION events_first');
  expect((await search('')).total).toBe(1);
});
