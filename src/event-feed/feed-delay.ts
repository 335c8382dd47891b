import { canHaveHad, type FeedEnd, hasReached, isAtLogEnd } from './feed-end.js';

/** Measures how long the feed has lacked an event of the log. */
export function createDelay() {
  /** The end of the log that the feed has not reached yet, and when it was first seen. Null while the feed has all events. */
  let behind: (Pick<FeedEnd, 'server' | 'log'> & { readonly since: number }) | null = null;
  /** Whether the log can still have the events that the feed lacked: it has the same server, and no lower end. */
  const isSameLog = ({ server, log }: FeedEnd): boolean =>
    server === behind?.server && canHaveHad(log, { id: behind.log.highestId, late: behind.log.late });
  return {
    /** The time (`performance.now()`) since which the feed has lacked an event; null if it lacks none. */
    get since() {
      return behind?.since ?? null;
    },

    note(end: FeedEnd): void {
      if (isAtLogEnd(end)) behind = null;
      else if (!behind || !isSameLog(end) || hasReached(end, behind.log))
        behind = { server: end.server, log: end.log, since: performance.now() };
    },
  };
}
