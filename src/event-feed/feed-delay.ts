import { type FeedEnd, hasReached, isWhole } from './feed-end.js';

/** Measures how long the feed has lacked an event of the log. */
export function createDelay() {
  /** The end of the log that the feed has not reached yet, and when it was first seen. Null while the feed has all events. */
  let behind: { readonly log: FeedEnd['log']; readonly since: number } | null = null;
  return {
    /** The time (`performance.now()`) since which the feed has lacked an event; null if it lacks none. */
    get since() {
      return behind?.since ?? null;
    },

    note(end: FeedEnd): void {
      if (isWhole(end)) behind = null;
      else if (!behind || hasReached(end, behind.log)) behind = { log: end.log, since: performance.now() };
    },
  };
}
