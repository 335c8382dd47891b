import { GatewayError } from '../errors.js';
import type { FeedStreamLimits } from '../event-feed/feed-streams.js';

export type ConnectionLimits = ReturnType<typeof createConnectionLimits>;

/** Counts open WebSockets. There can be as many as streams of the feed, since one WebSocket can carry all streams of a caller. */
export function createConnectionLimits({ perCaller, total }: FeedStreamLimits) {
  const byCaller = new Map<string, number>();
  let open = 0;
  return {
    /** Counts a connection until the returned function is called. @throws GatewayError TooManyRequestsError if there are too many */
    take(): () => void {
      if (open >= total) throw tooMany('This gateway has as many WebSockets open as it can serve. Try again later.');
      open += 1;
      return () => {
        open -= 1;
      };
    },

    /** Counts a connection for its caller, once that is known. */
    takeFor(callerId: string): () => void {
      const count = byCaller.get(callerId) ?? 0;
      if (count >= perCaller) throw tooMany(`Your token has ${count} WebSockets open, which is the limit. Close one of them.`);
      byCaller.set(callerId, count + 1);
      return () => {
        const left = (byCaller.get(callerId) ?? 1) - 1;
        if (left > 0) byCaller.set(callerId, left);
        else byCaller.delete(callerId);
      };
    },
  };
}

/** The time after which a client that was rejected should try again. */
const RETRY_AFTER_SECONDS = 5;

function tooMany(message: string): GatewayError {
  return new GatewayError('TooManyRequestsError', message, { limit: 'request', retryAfterSeconds: RETRY_AFTER_SECONDS });
}
