import { GatewayError } from '../errors.js';
import type { FeedContext } from './event-feed.service.js';
import type { EventFeedPage } from './event-feed.js';
import { type FeedEnds, isUnmoved, isWhole } from './feed-end.js';

/** A page as a stream needs it. */
export interface FollowedPage {
  readonly events: { readonly length: number };
  readonly cursor: string;
  readonly upToDate: boolean;
}

export interface FollowOptions<Page extends FollowedPage> {
  /** Reads a page. */
  readonly read: (after: string, first: number, context: FeedContext) => Promise<Page>;
  /** Returns a page without events. */
  readonly toEmpty: (state: Pick<EventFeedPage, 'cursor' | 'upToDate'>) => Page;
  readonly after: string;
  readonly batch: number;
  readonly context: FeedContext;
}

/** A stream has an empty page after this time without another, so that clients and proxies see that it is alive. */
const PROGRESS_MS = 15_000;

/** How often the token of a stream is looked up again. */
const TOKEN_CHECKED_EVERY_MS = 10_000;

/** A stream ends after this time, give or take a fifth, so that streams that began together do not end together. */
const MAX_DURATION_MS = 15 * 60 * 1000;
const SPREAD = 0.2;

/**
 * Yields pages as events become visible for good, and an empty page every 15 seconds. Ends at the signal and after about 15 minutes. No
 * connection, transaction or turn is held while it waits.
 * @throws GatewayError if a page cannot be read, or if the token has expired or was revoked
 */
export async function* followPages<Page extends FollowedPage>(
  ends: FeedEnds,
  { read, toEmpty, after, batch, context }: FollowOptions<Page>,
): AsyncGenerator<Page> {
  const { signal } = context;
  const endsAt = performance.now() + MAX_DURATION_MS * (1 + SPREAD * (2 * Math.random() - 1));
  const token = watchToken(context);
  const stopListening = ends.listen();
  try {
    let yielded: Page | null = null;
    let yieldedAt = performance.now();
    for (let cursor = after; !signal.aborted; ) {
      const known = ends.current;
      const page = await read(cursor, batch, { ...context, caller: await token.check(), isContinuation: yielded !== null });
      cursor = page.cursor;
      if (page.events.length > 0 || !yielded || (page.upToDate && !yielded.upToDate)) {
        yield page;
        yielded = page;
        yieldedAt = performance.now();
      }
      for (let isDone = page.events.length === batch; !isDone && !signal.aborted; ) {
        const now = performance.now();
        if (now >= endsAt) return;
        await token.check();
        const isNowWhole = isUnmoved(ends.current, known) && ends.current !== null && isWhole(ends.current);
        const upToDate = isNowWhole && page.events.length < batch;
        if (now - yieldedAt >= PROGRESS_MS || (upToDate && !yielded.upToDate)) {
          yielded = toEmpty({ cursor, upToDate });
          yield yielded;
          yieldedAt = performance.now();
        }
        await ends.waitForOther(
          ends.current,
          Math.max(0, Math.min(PROGRESS_MS - (performance.now() - yieldedAt), token.dueInMs())),
          signal,
        );
        isDone = !isUnmoved(ends.current, known);
      }
      if (performance.now() >= endsAt) return;
    }
  } finally {
    stopListening();
  }
}

/** Looks the token of a stream up again, every 10 seconds and when it expires. */
function watchToken({ caller: first, reauthenticate }: FeedContext) {
  let caller = first;
  let checkedAt = performance.now();
  const dueInMs = () => {
    const expiresInMs = caller.expiresAt === null ? Number.POSITIVE_INFINITY : caller.expiresAt.getTime() - Date.now();
    return Math.max(0, Math.min(TOKEN_CHECKED_EVERY_MS - (performance.now() - checkedAt), expiresInMs));
  };
  return {
    dueInMs,
    /** Returns the caller as it is now. @throws GatewayError UnauthorizedError for a token that has expired or was revoked */
    async check(): Promise<FeedContext['caller']> {
      if (dueInMs() > 0) return caller;
      checkedAt = performance.now();
      if (caller.expiresAt !== null && caller.expiresAt.getTime() <= Date.now()) throw expired();
      try {
        caller = (await reauthenticate?.()) ?? caller;
      } catch (error) {
        // While the database is unavailable, nothing is delivered either.
        if (error instanceof GatewayError && error.name === 'UnauthorizedError') throw error;
      }
      return caller;
    },
  };
}

function expired(): GatewayError {
  return new GatewayError('UnauthorizedError', 'The API token has expired.');
}
