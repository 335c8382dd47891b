/** For this time after a page, its client counts as a reader. Most collectors read a page every minute. */
const READER_MS = 120_000;

/** Knows whether anybody reads the feed: a stream is open, or a page was read in the last two minutes. */
export function createFeedReaders() {
  let streams = 0;
  /** Until when the client of the last page counts, as `performance.now()`. */
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

    /** From then on, clients of pages do not count. */
    stop(): void {
      isStopped = true;
    },

    get isStopped(): boolean {
      return isStopped;
    },

    hasStreams: (): boolean => streams > 0,

    areThere: (): boolean => streams > 0 || (!isStopped && performance.now() < pagesUntil),
  };
}
