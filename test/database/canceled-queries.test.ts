import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/open.js';
import { createDatabaseInFiles, isPostgres } from '../support/test-database.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

interface Search {
  readonly path: string;
  readonly body?: string;
}

const toGraphql = (query: string): Search => ({ path: '/graphql', body: JSON.stringify({ query }) });
/** Searches for a text of two letters, which is too short for the trigram index. */
const SEARCHES: readonly ((text: string) => Search)[] = [
  (text) => ({ path: `/api/admin/search/events?query=${text}` }),
  (text) => toGraphql(`{ events(filter: { query: "${text}" }) { totalCount } }`),
  (text) => toGraphql(`{ events(filter: { query: "${text}" }) { nodes { id } } }`),
];

(isPostgres ? describe : describe.skip)('a client that disconnects', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', { STATEMENT_TIMEOUT_MS: '0' });
  });
  afterAll(() => gateway.stop());

  const optionsOf = ({ body }: Search) => ({
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });

  test.each(SEARCHES)('search %# → PostgreSQL cancels its query, and no error is logged', async (toSearch) => {
    // Runs what only the first search does, such as sampling texts of the log.
    const warmUp = toSearch('ab');
    expect((await gateway.send(warmUp.path, optionsOf(warmUp))).status).toBe(200);
    const search = toSearch('cd');
    await gateway.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE events IN ACCESS EXCLUSIVE MODE`;
      // Leaves out the query of the watermark, which reads max(id). PostgreSQL shows only the first kilobyte of a query.
      const countSearches = async () => {
        const [row] = await gateway.prisma.$queryRaw<[{ count: number }]>`
          SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE NOT granted AND relation = 'events'::regclass AND query NOT LIKE '%max(id)%'`;
        return row.count;
      };
      const { hostname, port } = new URL(gateway.url);
      const { method, headers, body } = { body: undefined, ...optionsOf(search) };
      const client = request({
        hostname,
        port,
        path: search.path,
        method,
        headers: { ...headers, authorization: gateway.adminToken },
      });
      client.on('error', () => undefined).end(body);
      while ((await countSearches()) === 0);
      client.destroy();
      while ((await countSearches()) > 0);
    });
    expect((await gateway.send(search.path, optionsOf(search))).status).toBe(200);
    const levels = gateway.log.map((line) => JSON.parse(line).level);
    expect(Math.max(...levels)).toBeLessThan(50);
  });
});

(isPostgres ? test.skip : test)('a canceled query on the embedded database → it ends, and the next one is served', async () => {
  const files = await createDatabaseInFiles('empty');
  const database = await openDatabase(files.location);
  try {
    const read = (text: string, signal?: AbortSignal) => database.read({ text, values: [] }, { signal });
    // Opens the connection, so that the next query is sent at once.
    await read('SELECT 1');
    const ending = new AbortController();
    const reading = read(`SELECT count(*) FROM generate_series(1, 100000000) AS n WHERE n::text LIKE '%77777%'`, ending.signal);
    const refused = expect(reading).rejects.toThrow('The client closed the request before the response.');
    await waitUntil('the query runs', () => database.connections().busy === 1);
    ending.abort();
    await refused;
    expect(await read('SELECT count(*)::int AS count FROM events')).toEqual([{ count: 0 }]);
  } finally {
    await database.close();
    await files.drop();
  }
});
