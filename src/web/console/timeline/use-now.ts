import { useSyncExternalStore } from 'react';

const UPDATE_EVERY_MS = 30_000;

let now = Date.now();

function subscribe(notify: () => void): () => void {
  // `now` can be old, because no timer runs while no component uses the time.
  if (Date.now() - now > UPDATE_EVERY_MS) now = Date.now();
  const timer = setInterval(() => {
    now = Date.now();
    notify();
  }, UPDATE_EVERY_MS);
  return () => clearInterval(timer);
}

/** Returns the present time in milliseconds since 1970. The time is updated every 30 seconds while a component uses it. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
