import { watchToken } from '../auth/watch-token.js';
import type { Context } from '../events/log-reader.js';
import type { RequestContext } from '../request-context.js';
import { createBatchSize, STREAM_PAGE_CHARACTERS } from './batch-size.js';
import type { EventFeedPage } from './event-feed.js';
import { type FeedEnd, hasReached, isAtLogEnd, isSamePosition } from './feed-end.js';
import type { FeedEndWatcher } from './feed-end-watcher.js';
import { BEGINNING, parseFeedCursor } from './feed-position.js';
import type { FeedStreams } from './feed-streams.js';

/** The context of a reader of the feed. */
export type FeedContext = Context & Pick<RequestContext, 'reauthenticate'>;

/** The fields of a page that a stream needs. */
export interface StreamedPage {
  readonly events: { readonly length: number };
  readonly cursor: string;
  readonly upToDate: boolean;
}

/** The fields of a page without events. */
export type FeedProgress = Pick<EventFeedPage, 'cursor' | 'upToDate'>;

export interface StreamOptions<Page extends StreamedPage> {
  readonly read: (after: string, first: number, context: FeedContext) => Promise<Page>;
  readonly toEmpty: (progress: FeedProgress) => Page;
  /** Returns the number of characters of a page. */
  readonly lengthOf: (page: Page) => number;
  readonly after: string;
  /** The most events in a page. */
  readonly batch: number;
  readonly context: FeedContext;
  /** The time after which the stream ends. The default is about 15 minutes. */
  readonly maxMs?: number;
  /**
   * Whether the stream ends after the events that were in the log when its first page was read. The stream does not wait for
   * the present end, which the feed of a busy log may never reach. The last page has `upToDate: true`, even if events were added
   * since.
   */
  readonly endsAtLogEnd?: boolean;
}

/** A stream sends an empty page after this time without a page, so that clients and proxies see that it is alive. */
const PROGRESS_MS = 15_000;

/** A stream ends after this time, give or take a fifth, so that streams that began together do not end together. */
const MAX_MS = 15 * 60 * 1000;
const SPREAD = 0.2;

/**
 * Yields pages as the end of the feed (feed-end.ts) advances, and an empty page after 15 seconds without a page. Ends when the
 * signal is aborted. Also ends, with an empty page, when the gateway stops or after about 15 minutes. A waiting stream holds no
 * connection, no transaction and no turn of its caller (limits/in-turn.ts).
 * @throws GatewayError if a page cannot be read, if a limit of streams is reached, or if the token has expired or was revoked
 */
export async function* streamPages<Page extends StreamedPage>(
  streams: FeedStreams,
  { read, toEmpty, lengthOf, after, batch, context, maxMs = chooseDuration(), endsAtLogEnd = false }: StreamOptions<Page>,
): AsyncGenerator<Page> {
  const { signal } = context;
  const { endWatcher, slots } = streams;
  const release = slots.take(context.caller.id);
  const stopListening = endWatcher.listen();
  const token = watchToken(context);
  const reachesLogEnd = endsAtLogEnd ? watchLogEnd(endWatcher) : null;
  const size = createBatchSize(batch);
  const endsAt = performance.now() + maxMs;
  const isOver = () => streams.isStopping || performance.now() >= endsAt;
  /** The progress that was sent to the client last; null before the first page. */
  let shown: FeedProgress | null = null;
  let shownAt = performance.now();
  const isProgressDue = () => performance.now() - shownAt >= PROGRESS_MS;
  try {
    for (let cursor = after; !signal.aborted; ) {
      const known = endWatcher.current;
      const first = size.choose(cursor, known);
      const caller = await token.check();
      const pageCharacters = STREAM_PAGE_CHARACTERS;
      let page: Page | null = await read(cursor, first, { ...context, caller, isContinuation: shown !== null, pageCharacters });
      size.note(page.events.length, lengthOf(page));
      cursor = page.cursor;
      if (await reachesLogEnd?.(page)) {
        yield { ...page, upToDate: true };
        return;
      }
      // A page that is full or has large events can end before the known end. The next page is then read at once.
      const mayHaveMore = page.events.length > 0 && !page.upToDate && !reaches(cursor, known);
      if (page.events.length > 0 || !shown || (page.upToDate && !shown.upToDate) || isProgressDue()) {
        // A stream that ends at the log's end is up to date with its last page only.
        shown = { cursor, upToDate: page.upToDate && !endsAtLogEnd };
        yield endsAtLogEnd ? { ...page, upToDate: false } : page;
        shownAt = performance.now();
      }
      // A suspended generator keeps what its variables refer to. A stream that waits must not keep its last page in memory.
      page = null;
      // Waits until the end of the feed advances, unless the next page is read at once.
      while (!signal.aborted && (isOver() || (!mayHaveMore && isSamePosition(endWatcher.current, known)))) {
        const seen = endWatcher.current;
        const isAtEnd = !mayHaveMore && seen !== null && isSamePosition(seen, known) && isAtLogEnd(seen);
        // The watcher may have read the end of the log before the stream began, so `endsAtLogEnd` needs its own read.
        const upToDate = isAtEnd && (await reachesLogEnd?.({ cursor, upToDate: true })) !== false;
        // In a new epoch, reads a page instead of sending an empty one. The read fails if the log lacks the event of the cursor.
        if (isProgressDue() && !isOver() && seen?.epoch !== known?.epoch) break;
        if (isOver() || (upToDate && !shown.upToDate) || isProgressDue()) {
          shown = { cursor, upToDate };
          yield toEmpty(shown);
          shownAt = performance.now();
          if (isOver() || (endsAtLogEnd && upToDate)) return;
        }
        await token.check();
        const dueInMs = Math.min(PROGRESS_MS - (performance.now() - shownAt), token.dueInMs(), endsAt - performance.now());
        await endWatcher.waitForOther(seen, Math.max(0, dueInMs), signal);
      }
    }
  } finally {
    stopListening();
    release();
  }
}

/** Whether a reader at the cursor has had all events up to the end. */
function reaches(cursor: string, end: FeedEnd | null): boolean {
  const position = parseFeedCursor(cursor);
  return end !== null && position !== null && hasReached(position, { highestId: end.id ?? 0, late: end.late });
}

/** Returns a function that tells whether the pages have included all events that the log had at the first page. */
function watchLogEnd(endWatcher: FeedEndWatcher) {
  let logEnd: FeedEnd['log'] | null = null;
  return async ({ cursor, upToDate }: FeedProgress): Promise<boolean> => {
    const position = parseFeedCursor(cursor) ?? BEGINNING;
    logEnd ??= await endWatcher.readLogEnd();
    // The last events may have been removed meanwhile, so the end of the log is read again. Events that were added do not count.
    if (upToDate && !hasReached(position, logEnd)) {
      const { highestId, late } = await endWatcher.readLogEnd();
      logEnd = { highestId: Math.min(logEnd.highestId, highestId), late: Math.min(logEnd.late, late) };
    }
    return hasReached(position, logEnd);
  };
}

function chooseDuration(): number {
  return MAX_MS * (1 + SPREAD * (2 * Math.random() - 1));
}
