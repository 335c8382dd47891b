import { toFailure } from '../api/gateway-failure.js';
import type { Connection } from './live-state.js';
import { type FeedListener, type FeedRequest, readFeed } from './read-feed.js';

/** The time before another attempt, if the gateway names none. */
const RETRY_MS = 3_000;

/** The longest wait, even if the gateway asks for more. A timer of more than 24 days would end at once. */
const LONGEST_WAIT_MS = 5 * 60_000;

/** Statuses after which another attempt would get the same response. */
const FINAL = new Set([400, 401, 403, 404, 406]);

export interface FollowListener extends Pick<FeedListener, 'onEvent'> {
  /** @param hasAdvanced whether the cursor has changed since the last call */
  readonly onProgress: (upToDate: boolean, hasAdvanced: boolean) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Called when a stream without a cursor has begun. The stream has only later events. The caller can now read earlier ones. */
  readonly onStart: () => void;
}

/**
 * Keeps a stream open until the signal aborts or the gateway refuses the stream. After a break, the next stream continues where
 * the last one stopped.
 */
export async function followFeed(request: Omit<FeedRequest, 'cursor'>, listener: FollowListener): Promise<void> {
  const { signal } = request;
  let cursor: string | null = null;
  let formerCursor: string | null = null;
  while (!signal.aborted) {
    let isNew = cursor === null;
    let delayMs = RETRY_MS;
    const openedAt = Date.now();
    try {
      await readFeed(
        { ...request, cursor },
        {
          ...listener,
          onProgress(upToDate) {
            listener.onProgress(upToDate, cursor !== formerCursor);
            formerCursor = cursor;
            if (isNew) listener.onStart();
            isNew = false;
          },
          onCursor(next) {
            cursor = next;
          },
        },
      );
      // The gateway ends each stream after about 15 minutes. The next stream then continues at once.
      if (Date.now() - openedAt > RETRY_MS) delayMs = 0;
    } catch (thrown) {
      if (signal.aborted) return;
      const failure = toFailure(thrown);
      if (FINAL.has(failure.status)) return listener.onConnection({ kind: 'refused', reason: failure.message });
      // The cursor does not fit the log, for example because its event was removed. The next stream begins without a cursor, so
      // `onStart` is called again.
      if (failure.name === 'FeedResetError') cursor = null;
      if (failure.retryAfterSeconds !== null) delayMs = Math.min(failure.retryAfterSeconds * 1_000, LONGEST_WAIT_MS);
      listener.onConnection({ kind: 'reconnecting' });
    }
    await sleep(delayMs, signal);
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
