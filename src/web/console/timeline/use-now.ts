import { useSyncExternalStore } from 'react';

const EVERY_MS = 30_000;

let now = Date.now();

function subscribe(notify: () => void): () => void {
  // Without a component that uses it, the time was not updated.
  if (Date.now() - now > EVERY_MS) now = Date.now();
  const timer = setInterval(() => {
    now = Date.now();
    notify();
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** Returns the time of the last update, in milliseconds since 1970. Each component that uses it updates it every 30 seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
