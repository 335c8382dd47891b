import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/open.js';
import type { EventFeedPage } from '../../src/event-feed/event-feed.js';
import { createEventFeedService } from '../../src/event-feed/event-feed.service.js';
import { FeedEndWatcher } from '../../src/event-feed/feed-end-watcher.js';
import { FeedStreams } from '../../src/event-feed/feed-streams.js';
import { type FeedContext, streamPages } from '../../src/event-feed/stream-pages.js';
import { createEventStore } from '../../src/events/event.store.js';
import { createEventLog } from '../../src/events/event-log.js';
import { withoutTurns } from '../../src/limits/in-turn.js';
import { createStatistics } from '../../src/telemetry/request-statistics.js';
import { recordedEvents } from '../support/recorded-log.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const ignore = () => undefined;
const CONTEXT: FeedContext = {
  caller: { id: 'reader', name: 'reader', email: null, userId: null, role: 'VIEWER', projects: 'all', expiresAt: null },
  signal: new AbortController().signal,
  log: { error: ignore, warn: ignore, info: ignore },
  statistics: createStatistics(),
};

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('log');
  database = await openDatabase(testDatabase.location);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const query = (text: string) => database.read<{ id: number }>({ text, values: [] });
const addEvent = () => query("INSERT INTO events (type, created_by) VALUES ('feature-created', 'writer') RETURNING id");
const findLast = async () => (await query('SELECT max(id) AS id FROM events'))[0]?.id ?? 0;

/** Reads a stream to its end, while an event is added after each page, and before each look at the end of the log. */
async function readStream(after: string): Promise<EventFeedPage[]> {
  const store = createEventStore(database.read);
  const log = createEventLog(store);
  const readEnd = async () => {
    await addEvent();
    return store.readEnd();
  };
  const streams = new FeedStreams(
    { perCaller: 1, total: 1 },
    new FeedEndWatcher({ totals: log.totals, store: { ...store, readEnd } }),
  );
  const { readPage } = createEventFeedService(log, streams, async () => undefined, withoutTurns);
  const pages: EventFeedPage[] = [];
  const following = streamPages<EventFeedPage>(streams, {
    async read(cursor, first, context) {
      const page = await readPage({ filter: {}, after: cursor, first }, context);
      await addEvent();
      return page;
    },
    toEmpty: (progress) => ({ events: [], cursors: [], ...progress }),
    lengthOf: () => 0,
    after,
    batch: 1000,
    context: CONTEXT,
    endsAtLogEnd: true,
  });
  for await (const page of following) pages.push(page);
  return pages;
}

test('a log that grows faster than it is read → a stream to the end has the events that existed at its start, and ends', async () => {
  // A transaction that was rolled back has taken a position of a late event, which no event will ever have.
  await query(`SELECT nextval('gateway_late_event_position_seq') AS id`);
  const pages = await readStream('start');
  const ids = pages.flatMap(({ events }) => events.map(({ id }) => id));
  const known = recordedEvents.map(({ id }) => id).sort((a, b) => a - b);
  expect(ids.slice(0, known.length)).toEqual(known);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  expect(pages.map(({ upToDate }) => upToDate)).toEqual(pages.map((_, index) => index === pages.length - 1));
  expect(await findLast()).toBeGreaterThan(ids.at(-1) ?? 0);
});

test('a cursor of the last event → the events since then, and the end', async () => {
  const { cursor = '' } = (await readStream('start')).at(-1) ?? {};
  const last = await findLast();
  const pages = await readStream(cursor);
  expect(pages.flatMap(({ events }) => events.map(({ id }) => id))).toContain(last);
  expect(pages.at(-1)?.upToDate).toBe(true);
});
