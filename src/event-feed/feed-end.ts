/**
 * The end of the feed (docs/decisions/040-feed.md). Readers get the events up to the end. Each event that becomes visible later
 * comes after the end. An end is valid for one run of one server.
 *
 * A **late event** was added after its id, or a higher one, had been published (log-version/totals.ts). Late events are numbered
 * in the order in which they were added. The number is the position of the late event.
 */
export interface FeedEnd {
  readonly server: string;
  /** The epoch (log-version/epoch.store.ts) of the log when the end was read. In a new epoch, events may have been removed. */
  readonly epoch: string;
  /** The watermark (log-version/watermark.ts); null for an end before all events. */
  readonly id: number | null;
  /** The position up to which the late events are complete. */
  readonly late: number;
  /** The highest id and the highest late position of the log when the end was read. */
  readonly log: { readonly highestId: number; readonly late: number };
}

/** The delay of the feed, for metrics. */
export interface FeedLag {
  /** Seconds since the gateway first saw an event that the feed lacks; 0 if there is none, or if nobody reads the feed. */
  readonly lagSeconds: number;
  /** Seconds for which open transactions have held back the feed; 0 if none do, or if nobody reads the feed. */
  readonly heldSeconds: number;
}

/** Whether the end of the feed was the end of the log when both were read. */
export function isAtLogEnd({ id, late, log }: FeedEnd): boolean {
  return hasReached({ id, late }, log);
}

/**
 * Whether a position has reached the end of the log. Every position has reached the end of a log without events, even if late
 * events were removed from it.
 */
export function hasReached({ id, late }: Pick<FeedEnd, 'id' | 'late'>, log: FeedEnd['log']): boolean {
  return log.highestId <= 0 || ((id ?? 0) >= log.highestId && late >= log.late);
}

/** Whether the log can have had this end. Otherwise its last events were removed, or it was restored. */
export function canHaveHad({ highestId, late }: FeedEnd['log'], end: Pick<FeedEnd, 'id' | 'late'>): boolean {
  return Math.max(highestId, 0) >= (end.id ?? 0) && late >= end.late;
}

/** Whether two ends have the same position, so that the feed has the same events up to each of them. */
export function isSamePosition(one: FeedEnd | null, other: FeedEnd | null): boolean {
  return one?.server === other?.server && one?.id === other?.id && one?.late === other?.late;
}

/** Whether a reader gets the same pages with either of two ends. A page also tells whether it reaches the end of the log. */
export function isSameForReaders(one: FeedEnd | null, other: FeedEnd | null): boolean {
  if (!one || !other) return one === other;
  return isSamePosition(one, other) && isAtLogEnd(one) === isAtLogEnd(other);
}
