import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repositoryFile, type Server, startServer } from '../../bench/child.mjs';
import { cleanUp } from '../../bench/cleanup.mjs';
import { type Postgres, startPostgres, withClient } from '../../bench/postgres.mjs';
import { createLogActs, type LogActs, retry } from '../support/log-acts.js';
import { isPostgres } from '../support/test-database.js';

const TOKEN = 'a-token-of-the-administrator-of-this-log';
const PATHS = [
  '/api/admin/search/events?limit=5',
  '/api/admin/search/events?feature=IS:f1&limit=2',
  '/api/admin/search/events?project=IS:p1&offset=3',
  '/api/admin/events/f2',
];
/** The condition that a path searches for. */
const CONDITIONS = ['true', `feature_name = 'f1'`, `project = 'p1'`, `feature_name = 'f2'`];

/** Number of sequences. Each takes two seconds, because the gateway has to connect again after some of the acts. */
const SEQUENCES = Number(process.env['LOG_SEQUENCES'] ?? 20);
const TIMEOUT_MS = 60_000 + SEQUENCES * 6_000;
/** For how long a request is repeated: long enough for PostgreSQL to recover from a crash. */
const AVAILABLE_AGAIN_MS = 60_000;
/** The codes of a database that is missing or closes its connections. */
const TEMPORARY_CODES = /^(3D000|57P0\d|08\d{3}|ECONN\w+)$/;
const ACTS = { minLength: 2, maxLength: 6 };

interface Seen {
  readonly etag: string;
  readonly body: string;
}

const FEED = '/v1/events/feed';

interface FeedPage {
  readonly events?: readonly { readonly id: number; readonly createdAt: string }[];
  readonly next?: string;
  readonly upToDate?: boolean;
}

/** A reader of the feed. Events are texts of their id and time, because a restored log assigns the same ids again. */
interface Reader {
  after: string;
  readonly delivered: Set<string>;
  /** The events that had been removed before the reader began. If a restore brings them back, no reader can notice. */
  removedBefore: ReadonlySet<string>;
}

(isPostgres ? describe : describe.skip).each([
  ['a table', false],
  ['the partitions of docs/partitions.sql', true],
])('a log in %s, after any acts beside the gateway', (_, isPartitioned) => {
  let server: Postgres;
  /** Runs in a process of its own, because graphql-js does not recognize the errors of Node.js in Jest. */
  let gateway: Server;
  let acts: LogActs;
  /** The responses so far, by path. */
  const seen = new Map<string, Seen[]>(PATHS.map((path) => [path, []]));
  /** All events that the log has ever had. */
  const everSeen = new Set<string>();
  const reader: Reader = { after: 'start', delivered: new Set(), removedBefore: new Set() };

  beforeAll(async () => {
    // With small buffers, PostgreSQL copies a database in half the time.
    const small = { shared_buffers: '16MB', autovacuum: 'off' };
    server = await startPostgres([], { ...small, restart_after_crash: 'on', fsync: 'off', wal_writer_delay: '10s' });
    const url = await server.createDatabase('gateway');
    gateway = await startServer([process.execPath, repositoryFile('dist/main.js'), 'serve'], {
      PORT: '0',
      LOG_LEVEL: 'error',
      GRAPHIQL: 'false',
      DATABASE_URL: url,
      INIT_ADMIN_API_TOKENS: TOKEN,
    });
    if (isPartitioned) {
      const file = new URL('../../docs/partitions.sql', import.meta.url).pathname;
      execFileSync('psql', ['-q', '-v', 'size=50', '-v', 'partitions=2', '-f', file, url], { stdio: 'pipe' });
    }
    acts = await createLogActs(server, isPartitioned);
  });
  afterAll(async () => {
    await gateway?.stop();
    await cleanUp();
  });

  /** Repeats a request while the gateway connects to the database again. */
  const get = async (path: string, etag?: string): Promise<Response> => {
    for (const end = Date.now() + AVAILABLE_AGAIN_MS; ; ) {
      const headers = { authorization: TOKEN, ...(etag && { 'if-none-match': etag }) };
      const response = await fetch(`${gateway.url}${path}`, { headers }).catch((cause: Error) => {
        throw new Error(gateway.readOutput(), { cause });
      });
      if (response.status < 500) return response;
      if (response.status !== 503 || Date.now() > end) throw new Error(`${await response.text()}\n${gateway.readOutput()}`);
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  /** Reads the events of the log, and how many of them match each of `CONDITIONS`. */
  const readLog = async () => {
    const counts = CONDITIONS.map((condition) => `count(*) FILTER (WHERE ${condition})::int`);
    const sql = `
      SELECT array_agg(id || ' ' || round(extract(epoch FROM date_trunc('milliseconds', created_at)) * 1000)) AS events,
        ARRAY[${counts}] AS counts FROM events`;
    const query = () => withClient(server.urlOf('gateway'), (client) => client.query(sql));
    // The database is missing for a moment while a snapshot is renamed into its place.
    const { rows } = await retry(query, ({ code }) => TEMPORARY_CODES.test(String(code)));
    return { events: new Set<string>(rows[0].events), counts: rows[0].counts as readonly number[] };
  };

  /** Reads a page of the feed. Begins again if the gateway tells that the log is another one. */
  const readFeed = async (): Promise<{ isAtEnd: boolean }> => {
    const response = await get(`${FEED}?after=${reader.after}&limit=3`);
    const { events = [], next = 'start', upToDate = false } = (await response.json()) as FeedPage;
    if (response.status === 410) {
      reader.delivered.clear();
      const { events: present } = await readLog();
      reader.removedBefore = new Set([...everSeen].filter((event) => !present.has(event)));
    } else {
      expect(response.status).toBe(200);
    }
    for (const { id, createdAt } of events) reader.delivered.add(`${id} ${Date.parse(createdAt)}`);
    reader.after = next;
    return { isAtEnd: upToDate && events.length === 0 };
  };

  /** Requests pages in turn while an act runs, so that the act meets running queries, and totals are cached at any point of the act. */
  const actUnderReads = async (name: string, random: () => number): Promise<void> => {
    let isRunning = true;
    const read = async () => {
      for (let n = 0; isRunning; n += 1) {
        const path = PATHS[n % PATHS.length] ?? '';
        const response = await get(path, seen.get(path)?.at(-1)?.etag);
        await response.body?.cancel();
      }
    };
    const acting = acts.act(name, random).finally(() => {
      isRunning = false;
    });
    const follow = async () => {
      while (isRunning) await readFeed();
    };
    await Promise.all([acting, read(), read(), follow()]);
  };

  /** Checks that the reader, which is at the end of the feed, has received each event of the log. */
  const checkFeed = (present: ReadonlySet<string>) => {
    for (const event of present) everSeen.add(event);
    const missed = [...present].filter((event) => !reader.delivered.has(event) && !reader.removedBefore.has(event));
    expect(missed).toEqual([]);
  };

  const check = async () => {
    while (!(await readFeed()).isAtEnd);
    const { events, counts } = await readLog();
    checkFeed(events);
    for (const [index, path] of PATHS.entries()) {
      const response = await get(path);
      const [etag, body] = [response.headers.get('etag') ?? '', await response.text()];
      const { total, totalEvents } = JSON.parse(body);
      expect({ path, total: total ?? totalEvents }).toEqual({ path, total: counts[index] });
      const earlier = seen.get(path) ?? [];
      for (const other of earlier.slice(-8)) {
        if (other.etag === etag) expect({ path, body }).toEqual({ path, body: other.body });
        const conditional = await get(path, other.etag);
        if (conditional.status === 304) expect({ path, body }).toEqual({ path, body: other.body });
        else await conditional.body?.cancel();
      }
      earlier.push({ etag, body });
    }
  };

  test(
    `${SEQUENCES} sequences under reads → every total and etag is right, and the feed loses nothing`,
    async () => {
      const step = fc.record({ choice: fc.nat({ max: 10_000 }), random: fc.double({ min: 0, max: 0.999, noNaN: true }) });
      await fc.assert(
        fc.asyncProperty(fc.array(step, ACTS), async (steps) => {
          await actUnderReads('append', () => 0);
          await check();
          for (const { choice, random } of steps) {
            const name = acts.names[choice % acts.names.length] ?? 'append';
            await actUnderReads(name, () => random);
            await check();
          }
        }),
        { numRuns: SEQUENCES, seed: 20261122, endOnFailure: true },
      );
    },
    TIMEOUT_MS,
  );
});
