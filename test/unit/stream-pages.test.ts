import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../src/auth/caller.js';
import type { FeedEnd } from '../../src/event-feed/feed-end.js';
import { BEGINNING, parseFeedCursor, toFeedCursor } from '../../src/event-feed/feed-position.js';
import type { FeedStreams } from '../../src/event-feed/feed-streams.js';
import { type StreamedPage, streamPages } from '../../src/event-feed/stream-pages.js';
import { createSlots } from '../../src/limits/slots.js';

const CALLER: Caller = { id: 'a', name: 'a', email: null, userId: null, role: 'VIEWER', projects: 'all', expiresAt: null };

interface ReadPage extends StreamedPage {
  readonly events: readonly number[];
}

interface ShownPage extends Pick<ReadPage, 'events'> {
  /** The id of the cursor. */
  readonly id: number | null;
  readonly atMs: number;
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

interface FollowOptions {
  readonly maxMs?: number;
  /** The highest id that the log has, for a stream that ends at the end of the log. */
  readonly endsAt?: number;
  /** Whether the pages are full, so that none of them is up to date. */
  readonly isFull?: boolean;
}

/**
 * Follows a log whose end is a function of the time in seconds, for at most `maxMs`. A page has no events, as with a filter that
 * matches none, and its cursor is the end. Waiting takes no real time.
 */
async function follow(
  toEnd: (seconds: number) => Pick<FeedEnd, 'id' | 'epoch'>,
  { maxMs, endsAt, isFull = false }: FollowOptions = {},
) {
  const elapsed = () => performance.now();
  const endWatcher = {
    get current(): FeedEnd {
      const { id, epoch } = toEnd(Math.floor(elapsed() / 1000));
      return { server: 's', epoch, id, late: 0, log: { highestId: id ?? 0, late: 0 } };
    },
    listen: () => () => undefined,
    readLogEnd: async () => ({ highestId: endsAt, late: 0 }),
    // An end changes at the beginning of a second.
    waitForOther: async (_: unknown, ms: number) =>
      void jest.advanceTimersByTime(Math.max(1, Math.min(ms, 1000 - (elapsed() % 1000)))),
  };
  const streams = { endWatcher, slots: createSlots({ perCaller: 1, total: 1 }, 'streams'), isStopping: false };
  const reads: number[] = [];
  const pages: ShownPage[] = [];
  const stream = streamPages<ReadPage>(streams as unknown as FeedStreams, {
    read: async () => {
      reads.push(elapsed());
      const { id } = endWatcher.current;
      return { events: isFull ? [0] : [], cursor: toFeedCursor({ ...BEGINNING, id }), upToDate: !isFull };
    },
    toEmpty: (progress) => ({ ...progress, events: [] }),
    lengthOf: () => 1,
    after: 'now',
    batch: 10,
    context: { caller: CALLER, signal: new AbortController().signal } as never,
    ...(maxMs !== undefined && { maxMs }),
    endsAtLogEnd: endsAt !== undefined,
  });
  const startedAt = elapsed();
  for await (const { events, cursor } of stream)
    pages.push({ atMs: elapsed() - startedAt, events, id: parseFeedCursor(cursor)?.id ?? null });
  return { pages, reads: reads.map((ms) => ms - startedAt) };
}

test('an unchanged log → an empty page every 15 seconds, without another read, and a last one at the end', async () => {
  const { pages, reads } = await follow(() => ({ id: 7, epoch: 'e' }), { maxMs: 40_000 });
  expect(pages).toEqual([0, 15_000, 30_000, 40_000].map((atMs) => ({ atMs, events: [], id: 7 })));
  expect(reads).toEqual([0]);
});

test('a growing log of which nothing matches → the cursor of the page every 15 seconds goes forward', async () => {
  const { pages } = await follow((seconds) => ({ id: 7 + seconds, epoch: 'e' }), { maxMs: 31_000 });
  expect(pages.map(({ atMs }) => atMs)).toEqual([0, 15_000, 30_000, 31_000]);
  const ids = pages.map(({ id }) => Number(id));
  expect(ids).toEqual([...ids].sort((one, other) => one - other));
  expect(new Set(ids.slice(0, 3)).size).toBe(3);
});

test('another epoch without a new end → a page is read within 15 seconds, to find out whether the log has the cursor', async () => {
  const { pages, reads } = await follow((seconds) => ({ id: 7, epoch: seconds < 4 ? 'e' : 'f' }), { maxMs: 50_000 });
  expect(reads).toEqual([0, 15_000]);
  expect(pages.map(({ atMs }) => atMs)).toEqual([0, 15_000, 30_000, 45_000, 50_000]);
});

test('an epoch that is another one at each look → a page is read every 15 seconds, no more often', async () => {
  const { reads } = await follow((seconds) => ({ id: 7, epoch: String(seconds) }), { maxMs: 40_000 });
  expect(reads).toEqual([0, 15_000, 30_000]);
});

test('streams → end after 12 to 18 minutes, not all after the same time', async () => {
  const lengths: number[] = [];
  for (let stream = 0; stream < 20; stream += 1) {
    const { pages } = await follow(() => ({ id: 7, epoch: 'e' }));
    lengths.push((pages.at(-1)?.atMs ?? 0) / 60_000);
  }
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(12);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(18);
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeGreaterThan(1);
});

test('a full page at a known end, while the log has one more event → a stream to the end of the log waits for that event', async () => {
  const { pages } = await follow((seconds) => ({ id: seconds < 1 ? 10 : 11, epoch: 'e' }), { endsAt: 11, isFull: true });
  expect(pages.map(({ id }) => id)).toEqual([10, 11]);
});
