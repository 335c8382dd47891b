/** Lets callers wait, each for a limited time, until one event ends all of these waits. */
export function createWaits() {
  const ends = new Set<() => void>();
  return {
    /** Waits until `endAll` is called or the signal is aborted, for at most `maxMs`. */
    async wait(maxMs: number, signal: AbortSignal): Promise<void> {
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          ends.delete(end);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, maxMs);
        ends.add(end);
        signal.addEventListener('abort', end);
      });
    },

    endAll(): void {
      for (const end of [...ends]) end();
    },
  };
}
