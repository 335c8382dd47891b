import { GatewayError } from '../errors.js';

export interface SlotLimits {
  /** The slots that one caller may hold on this gateway. */
  readonly perCaller: number;
  /** The slots that all callers together may hold on this gateway. */
  readonly total: number;
}

/** The slots of one kind, such as open streams. */
export interface Slots {
  /** Returns the number of taken slots. */
  count(): number;
  /**
   * Takes a slot for a caller until the returned function is called. Further calls of that function have no effect.
   * @throws GatewayError TooManyRequestsError if a limit is reached
   */
  take(callerId: string): () => void;
}

/** The time after which a client that was rejected should try again. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Limits what callers keep open at the same time on this gateway.
 * @param plural the plural noun for what a slot stands for, such as `WebSockets`, for error messages
 */
export function createSlots({ perCaller, total }: SlotLimits, plural: string): Slots {
  const byCaller = new Map<string, number>();
  let taken = 0;
  const add = (callerId: string, difference: 1 | -1): void => {
    const ofCaller = (byCaller.get(callerId) ?? 0) + difference;
    if (ofCaller > 0) byCaller.set(callerId, ofCaller);
    else byCaller.delete(callerId);
    taken += difference;
  };
  return {
    count: () => taken,

    take(callerId) {
      const ofCaller = byCaller.get(callerId) ?? 0;
      if (ofCaller >= perCaller) throw tooMany(`You have ${ofCaller} ${plural} open, which is the limit. Close one of them.`);
      if (taken >= total) throw tooMany(`This gateway has as many ${plural} open as it can serve. Try again later.`);
      add(callerId, 1);
      let isTaken = true;
      return () => {
        if (isTaken) add(callerId, -1);
        isTaken = false;
      };
    },
  };
}

function tooMany(message: string): GatewayError {
  return new GatewayError('TooManyRequestsError', message, { limit: 'request', retryAfterSeconds: RETRY_AFTER_SECONDS });
}
