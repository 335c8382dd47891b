import { setTimeout as wait } from 'node:timers/promises';
import { type FeedClientOptions, type FeedLines, readFeed, TransientFailure } from './feed-client.js';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/** The longest wait before a retry, even if the gateway asks for a longer one. */
const LONGEST_WAIT_MS = 5 * 60_000;

/** If a stream ends sooner than this, the client pauses before the next stream. The gateway's time limit is longer. */
const SHORT_STREAM_MS = 1_000;

/** The time by which a retry of `now` starts before the first attempt. Events may come twice, but none is skipped. */
const RETRY_MARGIN_MS = 60_000;

export interface FollowFeedOptions extends FeedClientOptions {
  /** The cursor of an earlier run; without one, `start`, `now` or a date-time. */
  readonly after: string;
  /** Receives events. They count as delivered once the promise is fulfilled. */
  readonly onLines: (lines: FeedLines) => Promise<void>;
  /** Called before each retry, with its reason and delay. */
  readonly onRetry: (reason: string, inMs: number) => void;
}

/**
 * Follows the feed of a gateway, over broken connections and restarts.
 * @returns with `once`, when all events that were in the log at the start of the last response have been delivered
 * @throws FeedError if a retry cannot succeed. Once `signal` is aborted, the function returns or throws an `AbortError`
 */
export async function followFeed({ after, onLines, onRetry, ...options }: FollowFeedOptions): Promise<void> {
  const { signal, once } = options;
  let cursor = after;
  let isComplete = false;
  for (let retries = 0; !signal.aborted; ) {
    const openedAt = performance.now();
    try {
      const response = readFeed(options, cursor);
      // Another `now` would skip the events since this attempt. A retry reads from a minute before this attempt, because the
      // clock of this machine may be ahead.
      if (cursor === 'now') cursor = new Date(Date.now() - RETRY_MARGIN_MS).toISOString();
      for await (const lines of response) {
        await onLines(lines);
        cursor = lines.cursor;
        isComplete = lines.upToDate;
        retries = 0;
      }
      // Only a complete stream ends the command. A stopping gateway, or its time limit for streams, can end a stream earlier.
      if (once && isComplete) return;
      if (performance.now() - openedAt < SHORT_STREAM_MS) await wait(FIRST_RETRY_MS, undefined, { signal });
    } catch (error) {
      if (!(error instanceof TransientFailure)) throw error;
      const backOff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** retries) * (0.5 + Math.random() / 2);
      const inMs = Math.min(error.retryAfterMs ?? backOff, LONGEST_WAIT_MS);
      retries += 1;
      onRetry(error.message, inMs);
      await wait(inMs, undefined, { signal });
    }
  }
}
