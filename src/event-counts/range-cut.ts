import type { AddedCell } from './count-table.js';
import type { Span } from './event-counts.store.js';

/** The ends of the requested range, in milliseconds of Unix time. Null on a side without a limit. */
export interface Bounds {
  readonly since: number | null;
  readonly until: number | null;
}

/**
 * A range of time usually begins in the middle of a bucket. A cut has the numbers of the cached table's events that are in this
 * bucket but before the beginning of the range. Ranges move with the clock. If the next request's range begins in the same bucket,
 * at the same time or later, only the events between the two beginnings are read.
 */
export interface RangeCut {
  /** The beginning of the range, in milliseconds of Unix time. */
  readonly since: number;
  /** The number of events of each group. */
  readonly numbers: ReadonlyMap<string | null, number>;
}

/** The buckets of a cached table, and what the last range cut off. */
export interface Cuttable {
  /** The starts of whole buckets in milliseconds, ascending. Without starts, all events are in one bucket. */
  readonly starts: readonly number[];
  /** Null if the last range cut no bucket at its beginning. */
  readonly cut: RangeCut | null;
}

/** Returns the part of the first bucket that is before the range; null if the range begins with the bucket. */
export function findSpanBefore(starts: readonly number[], { since }: Bounds): Span | null {
  const start = since === null ? undefined : starts.findLast((each) => each <= since);
  return since !== null && start !== undefined && start < since ? [start, since] : null;
}

/** Returns the part of the last bucket that is after the range; null if the range ends with the bucket. */
export function findSpanAfter(starts: readonly number[], { until }: Bounds): Span | null {
  const end = until === null ? undefined : starts.find((each) => each >= until);
  return until !== null && end !== undefined && end > until ? [until, end] : null;
}

export const isInside = (span: Span | null, time: number): boolean => span !== null && time >= span[0] && time < span[1];

/** Returns the parts of the first and the last bucket that are outside of the range, without what the last cut already counts. */
export function findUnreadSpans({ starts, cut }: Cuttable, bounds: Bounds): Span[] {
  const before = findSpanBefore(starts, bounds);
  const unread: Span | null = before && [findUsable(cut, before)?.since ?? before[0], before[1]];
  return [unread, findSpanAfter(starts, bounds)].flatMap((span) => (span && span[0] < span[1] ? [span] : []));
}

/**
 * Returns the cut of this range: the numbers of the last cut, if it is usable, and those of all cells before the range in the same
 * bucket. `cells` has the events of the unread spans and the added events. An added event can be in the part of the bucket that the
 * last cut covers.
 */
export function moveCut({ starts, cut }: Cuttable, cells: readonly AddedCell[], bounds: Bounds): RangeCut | null {
  const before = findSpanBefore(starts, bounds);
  if (!before) return null;
  const usable = findUsable(cut, before);
  const inside = cells.filter(({ age, first }) => age !== 'new' && isInside(before, first));
  if (usable?.since === before[1] && inside.length === 0) return usable;
  const numbers = new Map(usable?.numbers);
  for (const { key, count } of inside) numbers.set(key, (numbers.get(key) ?? 0) + count);
  return { since: before[1], numbers };
}

/** Returns the cut if all its events are in the span. */
function findUsable(cut: RangeCut | null, span: Span): RangeCut | null {
  return cut && cut.since > span[0] && cut.since <= span[1] ? cut : null;
}
