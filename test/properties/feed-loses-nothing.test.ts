import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Caller } from '../../src/auth/caller.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import type { EventFeedPage } from '../../src/event-feed/event-feed.js';
import { createEventFeedService, type EventFeedService } from '../../src/event-feed/event-feed.service.js';
import { FeedEndWatcher } from '../../src/event-feed/feed-end-watcher.js';
import { parseFeedCursor } from '../../src/event-feed/feed-position.js';
import { FeedStreams } from '../../src/event-feed/feed-streams.js';
import { createEventStore } from '../../src/events/event.store.js';
import type { EventFilterInput } from '../../src/events/event-filter.js';
import { createEventLog } from '../../src/events/event-log.js';
import { withoutTurns } from '../../src/limits/in-turn.js';
import { type EpochSource, GATEWAY_EPOCH, UNLEASH_EPOCH } from '../../src/log-version/epoch.store.js';
import { createStatistics } from '../../src/telemetry/request-statistics.js';
import { ADDED_BELOW, INSERT, INSERT_BELOW, SKIP_IDS, writerTransactions, writeTransactions } from '../support/feed-writers.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const WRITERS = 4;
const ignore = () => undefined;

interface Reader {
  readonly name: string;
  readonly filter: EventFilterInput;
  readonly projects: Caller['projects'];
  /** The SQL condition for the events that the reader may see and wants. */
  readonly matches: string;
  readonly size: number;
}

const READERS: readonly Reader[] = [
  { name: 'all', filter: {}, projects: 'all', matches: 'true', size: 500 },
  { name: 'small pages', filter: {}, projects: 'all', matches: 'true', size: 2 },
  { name: 'a flag', filter: { features: ['f1'] }, projects: 'all', matches: `feature_name = 'f1'`, size: 3 },
  { name: 'a scope', filter: {}, projects: ['p1'], matches: `project = 'p1'`, size: 5 },
  {
    name: 'a rare creator',
    filter: { createdByNames: ['import'] },
    projects: 'all',
    matches: `created_by = 'import'`,
    size: 500,
  },
];

const contextOf = (projects: Caller['projects'], signal: AbortSignal) => ({
  caller: { id: 'reader', name: 'reader', email: null, userId: null, role: 'VIEWER' as const, projects, expiresAt: null },
  signal,
  log: { error: ignore, warn: ignore, info: ignore },
  statistics: createStatistics(),
});

function createGateway({ read }: Database, epochs: EpochSource): EventFeedService {
  const log = createEventLog(createEventStore(read, epochs));
  const streams = new FeedStreams({ perCaller: 100, total: 100 }, new FeedEndWatcher(log));
  return createEventFeedService(log, streams, async () => undefined, withoutTurns);
}

/** Collects what a reader gets, and checks the order of positions. */
class Delivery {
  readonly ids: number[] = [];
  #last = { id: Number.NEGATIVE_INFINITY, late: 0 };

  add({ events, cursors, cursor }: EventFeedPage): void {
    expect(cursors).toHaveLength(events.length);
    this.ids.push(...events.map(({ id }) => id));
    for (const each of [...cursors, cursor]) {
      const { id, late } = parseFeedCursor(each) ?? { id: null, late: Number.NaN };
      const next = { id: id ?? Number.NEGATIVE_INFINITY, late };
      expect(next.id >= this.#last.id && next.late >= this.#last.late).toBe(true);
      this.#last = next;
    }
  }
}

(isPostgres ? describe : describe.skip).each(['own', 'unleash'] as const)('the feed of a database: %s', (schema) => {
  let testDatabase: TestDatabase;
  let url: string;
  let databases: Database[];
  let gateways: EventFeedService[];
  beforeAll(async () => {
    testDatabase = await createTestDatabase('empty');
    url = 'url' in testDatabase.location ? testDatabase.location.url : '';
    databases = [await openDatabase(testDatabase.location), await openDatabase(testDatabase.location)];
    if (schema === 'unleash')
      await execute('DROP TRIGGER gateway_events_added ON events; DROP TRIGGER gateway_events_changed ON events');
    gateways = databases.map((database) => createGateway(database, schema === 'own' ? GATEWAY_EPOCH : UNLEASH_EPOCH));
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await testDatabase.drop();
  });
  const execute = (text: string) => databases[0]?.read<{ id: number }>({ text, values: [] }) ?? [];

  /** Reads page by page, now from one gateway and now from the other, until nothing is written and the end is reached. */
  const readPages = async ({ filter, projects, size }: Reader, after: string, isWriting: () => boolean): Promise<number[]> => {
    const delivery = new Delivery();
    const { signal } = new AbortController();
    let cursor = after;
    for (let turn = 0; ; turn += 1) {
      const wasWriting = isWriting();
      const gateway = gateways[turn % gateways.length];
      const page = await gateway?.readPage({ filter, after: cursor, first: size }, contextOf(projects, signal));
      if (!page) throw new Error('There is no gateway.');
      delivery.add(page);
      cursor = page.cursor;
      if (!wasWriting && page.upToDate) return delivery.ids;
    }
  };

  /** Follows one gateway, and breaks off now and then. */
  const follow = async ({ filter, projects, size }: Reader, after: string, isWriting: () => boolean): Promise<number[]> => {
    const delivery = new Delivery();
    let cursor = after;
    for (let turn = 0; ; turn += 1) {
      const stop = new AbortController();
      const context = contextOf(projects, stop.signal);
      let pages = 0;
      for await (const page of gateways[turn % gateways.length]?.follow(
        { filter, after: cursor, batch: size },
        context,
        stop.signal,
      ) ?? []) {
        delivery.add(page);
        cursor = page.cursor;
        pages += 1;
        // Breaks off after some pages, or at the end of the log once nothing is written any more.
        if (pages > 5 || (page.upToDate && !isWriting())) break;
      }
      stop.abort();
      const rest = isWriting() ? null : await readPages({ name: '', filter, projects, matches: '', size }, cursor, isWriting);
      if (rest) return [...delivery.ids, ...rest];
    }
  };

  test('writers that commit late, roll back and prepare; two gateways; filters and scopes → nothing is lost', async () => {
    let late = 0;
    const schedule = fc.array(writerTransactions(schema === 'own'), { minLength: WRITERS, maxLength: WRITERS });
    await fc.assert(
      fc.asyncProperty(schedule, async (all) => {
        const page = await gateways[0]?.readPage(
          { filter: {}, after: 'now', first: 1 },
          contextOf('all', new AbortController().signal),
        );
        const after = page?.cursor ?? '';
        const before = new Set((await execute('SELECT id FROM events')).map(({ id }) => id));
        let isWriting = true;
        const write = async () => {
          await Promise.all(all.map((transactions) => writeTransactions(url, transactions)));
          if (schema === 'own') await writeTransactions(url, ADDED_BELOW);
        };
        const writing = write().finally(() => {
          isWriting = false;
        });
        const found = await Promise.all(
          READERS.flatMap((reader) => [readPages(reader, after, () => isWriting), follow(reader, after, () => isWriting)]),
        );
        await writing;
        const lateIds = new Set(
          schema === 'own' ? (await execute('SELECT event_id AS id FROM gateway_late_event')).map(({ id }) => id) : [],
        );
        for (const [index, ids] of found.entries()) {
          const reader = READERS[Math.floor(index / 2)];
          const rows = await execute(`SELECT id FROM events WHERE ${reader?.matches}`);
          const added = rows.map(({ id }) => id).filter((id) => !before.has(id));
          expect({ reader: reader?.name, ids: [...new Set(ids)].sort((a, b) => a - b) }).toEqual({
            reader: reader?.name,
            ids: added.sort((a, b) => a - b),
          });
          const repeated = ids.filter((id, place) => ids.indexOf(id) !== place);
          expect(repeated.filter((id) => !lateIds.has(id))).toEqual([]);
          late += ids.filter((id) => lateIds.has(id)).length;
        }
      }),
      { numRuns: Number(process.env.FEED_RUNS ?? (schema === 'own' ? 2 : 1)), endOnFailure: true },
    );
    if (schema === 'own') expect(late).toBeGreaterThan(0);
  }, 600_000);
});

test('one change at a time, also on the embedded database → each event once, and those that were added below', async () => {
  const testDatabase = await createTestDatabase('empty');
  const database = await openDatabase(testDatabase.location);
  try {
    const gateway = createGateway(database, GATEWAY_EPOCH);
    const deliveries = READERS.map((reader) => ({ reader, delivery: new Delivery(), cursor: 'start' }));
    const { signal } = new AbortController();
    const statement = fc.record({
      sql: fc.constantFrom(INSERT, INSERT, SKIP_IDS, INSERT_BELOW),
      count: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 1, maxLength: 4 }), async (statements) => {
        for (const { sql, count } of statements) await database.read({ text: sql, values: [count] });
        for (const each of deliveries) {
          const { filter, projects, size, matches } = each.reader;
          for (let upToDate = false; !upToDate; ) {
            const page = await gateway.readPage({ filter, after: each.cursor, first: size }, contextOf(projects, signal));
            each.delivery.add(page);
            each.cursor = page.cursor;
            upToDate = page.upToDate;
          }
          const rows = await database.read<{ id: number }>({
            text: `SELECT id FROM events WHERE ${matches} ORDER BY id`,
            values: [],
          });
          expect([...each.delivery.ids].sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
        }
      }),
      { numRuns: Number(process.env.FEED_RUNS ?? 4), endOnFailure: true },
    );
  } finally {
    await database.close();
    await testDatabase.drop();
  }
});
