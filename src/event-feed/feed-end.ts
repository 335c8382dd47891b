/** The end of the feed. All events up to it are complete (docs/decisions/040-feed.md). It is that of one run of one server. */
export interface FeedEnd {
  readonly server: string;
  /** The watermark of ids; null for an empty log. */
  readonly id: number | null;
  /** The position up to which the late events are complete. */
  readonly late: number;
  /** The highest id and the highest late position of the log when the end was read. */
  readonly log: { readonly highestId: number; readonly late: number };
}

/** The delay of the feed, for metrics. */
export interface FeedLag {
  /** The time since an event was first seen that the feed does not have yet; 0 without one. */
  readonly lagSeconds: number;
  /** The time for which open transactions have held the feed; 0 without one. */
  readonly heldSeconds: number;
}

/** Whether the log had nothing above the end. */
export function isWhole({ id, late, log }: FeedEnd): boolean {
  return hasReached({ id, late }, log);
}

/** A log without events has nothing to reach, also if late events were removed from it. */
export function hasReached({ id, late }: Pick<FeedEnd, 'id' | 'late'>, log: FeedEnd['log']): boolean {
  return log.highestId <= 0 || ((id ?? 0) >= log.highestId && late >= log.late);
}

/** Whether the feed has the same events up to both ends. */
export function isSamePosition(one: FeedEnd | null, other: FeedEnd | null): boolean {
  return one?.server === other?.server && one?.id === other?.id && one?.late === other?.late;
}

/** Whether a reader gets the same pages up to both ends. A page also tells whether its end is that of the log. */
export function isSameForReaders(one: FeedEnd | null, other: FeedEnd | null): boolean {
  if (!one || !other) return one === other;
  return isSamePosition(one, other) && isWhole(one) === isWhole(other);
}
