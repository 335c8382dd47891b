import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import type { Caller } from '../../src/auth/caller.js';
import type { FeedEnd } from '../../src/event-feed/feed-end.js';
import type { FeedStreams } from '../../src/event-feed/feed-streams.js';
import { type StreamedPage, streamPages } from '../../src/event-feed/stream-pages.js';
import { createSlots } from '../../src/limits/slots.js';
import type { TextPage } from '../../src/rest/feed-format.js';
import { chooseFeedFormat, toEmptyPage } from '../../src/rest/feed-format.js';
import { startPages, streamFeed } from '../../src/rest/stream-feed.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const CALLER: Caller = { id: 'a', name: 'a', email: null, userId: null, role: 'VIEWER', projects: 'all', expiresAt: null };

/** Returns whether a page is still in memory. */
async function isKept(page: WeakRef<object>): Promise<boolean> {
  // A reference that was created or read in this turn of the event loop is kept until its end.
  await new Promise((resolve) => setTimeout(resolve, 10));
  collectGarbage();
  return page.deref() !== undefined;
}

test('a stream that waits for events → does not keep its last page', async () => {
  const end: FeedEnd = { server: 's', epoch: 'e', id: 1, late: 0, log: { highestId: 1, late: 0 } };
  const ending = new AbortController();
  const waitForOther = () => new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()));
  const endWatcher = { current: end, listen: () => () => undefined, waitForOther };
  const streams = { endWatcher, slots: createSlots({ perCaller: 1, total: 1 }, 'streams'), isStopping: false };
  const pages: WeakRef<StreamedPage>[] = [];
  const stream = streamPages(streams as unknown as FeedStreams, {
    read: async () => {
      const page = { events: ['an event'], cursor: 'not a cursor', upToDate: true };
      pages.push(new WeakRef(page));
      return page;
    },
    toEmpty: (progress) => ({ ...progress, events: [] }),
    lengthOf: () => 1,
    after: 'start',
    batch: 10,
    context: { caller: CALLER, signal: ending.signal, log: { error: () => undefined } } as never,
  });
  await stream.next();
  const waiting = stream.next();
  expect(pages).toHaveLength(1);
  expect(await isKept(pages[0] as WeakRef<object>)).toBe(false);
  ending.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('a response that waits for the next page → does not keep the pages before', async () => {
  const pages: WeakRef<TextPage>[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const toPages = async function* () {
    for (const cursor of ['1', '2', '3']) {
      let page: TextPage | null = toEmptyPage({ cursor, upToDate: true });
      pages.push(new WeakRef(page));
      yield page;
      page = null;
    }
    await ended;
  };
  const format = chooseFeedFormat('text/event-stream');
  const texts = streamFeed(
    await startPages(toPages()),
    format as NonNullable<typeof format>,
    { error: () => undefined } as never,
  );
  for (let n = 0; n < 3; n += 1) await texts.next();
  const waiting = texts.next();
  expect(pages).toHaveLength(3);
  for (const page of pages) expect(await isKept(page)).toBe(false);
  end();
  expect(await waiting).toEqual({ done: true, value: undefined });
});
