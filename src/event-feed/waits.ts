/** Lets callers wait, each for a limited time, until all of them are woken. */
export function createWaits() {
  const wakes = new Set<() => void>();
  return {
    /** Waits until `wakeAll` is called or the signal is aborted, for at most `maxMs`. */
    async wait(maxMs: number, signal: AbortSignal): Promise<void> {
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          wakes.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, maxMs);
        wakes.add(wake);
        signal.addEventListener('abort', wake);
      });
    },

    wakeAll(): void {
      for (const wake of [...wakes]) wake();
    },
  };
}
