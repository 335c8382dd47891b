import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { GatewayError } from '../errors.js';

/**
 * The time that an export waits for the end of the caller's previous export. A client that resumes a broken export needs this
 * time: the broken one ends soon after its connection, but not at once.
 */
const PATIENCE_MS = 1_000;

/**
 * Lets each caller have one export at a time on this gateway.
 * @returns a function that takes the caller's slot, and returns the function that frees it
 */
export function createExportSlots() {
  const running = new Map<string, Promise<void>>();
  return async (callerId: string, signal: AbortSignal): Promise<() => void> => {
    const previous = running.get(callerId);
    if (previous) {
      const waited = new AbortController();
      await Promise.race([previous, setTimeout(PATIENCE_MS, undefined, { signal: waited.signal }).catch(() => undefined)]);
      waited.abort();
    }
    signal.throwIfAborted();
    if (running.has(callerId)) {
      throw new GatewayError('TooManyRequestsError', 'Another of your exports is running. Wait for its end.', {
        limit: 'request',
        retryAfterSeconds: 5,
      });
    }
    const ended = new AbortController();
    const end = once(ended.signal, 'abort').then(() => undefined);
    running.set(callerId, end);
    return () => {
      if (running.get(callerId) === end) running.delete(callerId);
      ended.abort();
    };
  };
}
