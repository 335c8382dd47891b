/** Work whose result several wait for. */
export interface SingleFlight<T> {
  /** Whether nobody waited for it any more before it ended. */
  readonly isAbandoned: boolean;
  /** Waits for the result, until `signal` is aborted. */
  join(signal: AbortSignal | undefined): Promise<T>;
}

/** Starts work that is given up once all who have joined it are gone. */
export function startSingleFlight<T>(start: (signal: AbortSignal) => Promise<T>): SingleFlight<T> {
  const lonely = new AbortController();
  const result = start(lonely.signal);
  // Who joins hears of a failure.
  result.catch(() => undefined);
  let waiting = 0;
  return {
    get isAbandoned() {
      return lonely.signal.aborted;
    },
    async join(signal) {
      const leave = () => {
        waiting -= 1;
        if (waiting === 0) lonely.abort();
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
