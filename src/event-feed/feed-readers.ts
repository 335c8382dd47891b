/** The time for which a client counts as a reader after it has read a page. Most clients that poll read a page every minute. */
const READER_MS = 120_000;

/** Knows whether anybody reads the feed: a stream is open, or a page was read in the last two minutes. */
export function createFeedReaders() {
  let streams = 0;
  /** The time (`performance.now()`) until which the client of the last page counts as a reader. */
  let pagesUntil = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  return {
    /** Adds a stream until the returned function is called. */
    addStream(): () => void {
      streams += 1;
      let isOpen = true;
      return () => {
        if (isOpen) streams -= 1;
        isOpen = false;
      };
    },

    notePage(): void {
      pagesUntil = performance.now() + READER_MS;
    },

    /** Afterwards, only streams count as readers. */
    stop(): void {
      isStopped = true;
    },

    get isStopped(): boolean {
      return isStopped;
    },

    hasStreams: (): boolean => streams > 0,

    hasAny: (): boolean => streams > 0 || (!isStopped && performance.now() < pagesUntil),
  };
}
