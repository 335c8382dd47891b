import { GatewayError } from '../errors.js';
import type { FeedStreamLimits } from '../event-feed/feed-streams.js';

export type ConnectionLimits = ReturnType<typeof createConnectionLimits>;

/** Counts open WebSockets of known callers. There can be as many as streams of the feed, since one WebSocket carries several streams. */
export function createConnectionLimits({ perCaller, total }: FeedStreamLimits) {
  const byCaller = new Map<string, number>();
  let open = 0;
  return {
    /** Counts a connection until the returned function is called once. @throws GatewayError TooManyRequestsError if there are too many */
    take(callerId: string): () => void {
      const ofCaller = byCaller.get(callerId) ?? 0;
      if (ofCaller >= perCaller)
        throw tooMany(`Your token has ${ofCaller} WebSockets open, which is the limit. Close one of them.`);
      if (open >= total) throw tooMany('This gateway has as many WebSockets open as it can serve. Try again later.');
      byCaller.set(callerId, ofCaller + 1);
      open += 1;
      return () => {
        const left = (byCaller.get(callerId) ?? 1) - 1;
        if (left > 0) byCaller.set(callerId, left);
        else byCaller.delete(callerId);
        open -= 1;
      };
    },
  };
}

function tooMany(message: string): GatewayError {
  return new GatewayError('TooManyRequestsError', message, { limit: 'request' });
}
