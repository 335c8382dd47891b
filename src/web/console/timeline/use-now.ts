import { useSyncExternalStore } from 'react';

const EVERY_MS = 30_000;

let now = Date.now();

function subscribe(notify: () => void): () => void {
  const timer = setInterval(() => {
    now = Date.now();
    notify();
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** Returns the present time in milliseconds since 1970. It changes twice a minute. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
