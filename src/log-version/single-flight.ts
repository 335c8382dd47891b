import { setImmediate } from 'node:timers/promises';

/**
 * Work that runs once for several callers who wait for the same result, such as the count of one filter (settled-values.ts) or a
 * page of the feed (event-feed/shared-reads.ts).
 */
export interface SingleFlight<T> {
  /** Whether the work was canceled because all callers left before its end. */
  readonly isAbandoned: boolean;
  /** Waits for the result. A caller leaves when its `signal` is aborted. */
  join(signal: AbortSignal | undefined): Promise<T>;
}

/** Starts work. Its signal is aborted once every caller that joined has left. */
export function startSingleFlight<T>(start: (signal: AbortSignal) => Promise<T>): SingleFlight<T> {
  const abandoned = new AbortController();
  const result = start(abandoned.signal);
  // Avoids an unhandled rejection. Callers that join still receive the failure.
  result.catch(() => undefined);
  let waiting = 0;
  return {
    get isAbandoned() {
      return abandoned.signal.aborted;
    },
    async join(signal) {
      const leave = () => {
        waiting -= 1;
        if (waiting === 0) abandoned.abort();
      };
      waiting += 1;
      if (signal?.aborted) leave();
      else signal?.addEventListener('abort', leave, { once: true });
      try {
        return await result;
      } finally {
        signal?.removeEventListener('abort', leave);
      }
    },
  };
}

/** Returns a function that runs `read` once for all calls that arrive in the same turn of the event loop. */
export function coalesce<T>(read: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  return () => {
    next ??= setImmediate().then(() => {
      next = null;
      return read();
    });
    return next;
  };
}

/** The longest time that a run waits for the run before it, which may hang on a lost connection. */
const PATIENCE_MS = 5_000;

/**
 * Returns a function that runs `read` once at a time. Calls during a run share the next run, so that each call gets a result that
 * was read after the call. A run waits at most `patienceMs` for the run before it.
 */
export function shareNext<T>(read: () => Promise<T>, patienceMs = PATIENCE_MS): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  const start = async (): Promise<T> => {
    await waitFor(running, patienceMs);
    await setImmediate();
    next = null;
    const result = read();
    running = result.catch(() => undefined);
    return result;
  };
  return () => {
    next ??= start();
    return next;
  };
}

/** Waits for the end of a run that does not fail, for at most `maxMs`. */
function waitFor(run: Promise<unknown>, maxMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, maxMs);
    void run.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
