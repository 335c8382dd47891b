import type { Epoch } from '../log-version/epoch.store.js';

/** The numbers of events of one group, by bucket. */
export interface CountedKey {
  /** The value that the events of the group share. Null for events without a value, and if `isRest`. */
  readonly key: string | null;
  /** Whether this stands for all groups after the largest ones. */
  readonly isRest: boolean;
  /** The buckets, as positions in the list of starts: 0 is before the first start, 1 is between the first and the second. */
  readonly buckets: readonly number[];
  readonly counts: readonly number[];
}

/** The times of the first and the last event in milliseconds; null without events, infinite for the infinite times of PostgreSQL. */
export interface Extent {
  readonly first: number | null;
  readonly last: number | null;
}

/** Numbers of matching events by group and bucket at one moment. */
export interface CountTable extends Epoch, Extent {
  readonly keys: readonly CountedKey[];
  readonly distinct: number;
}

/**
 * The number of events of one group and age, all of them in one bucket. `first` and `last` are the times of the first and the last of
 * them, in milliseconds.
 */
export interface AddedCell {
  readonly key: string | null;
  /** `old` for events in the cached table, `settled` for later ones up to the watermark, `new` for those above the watermark. */
  readonly age: 'old' | 'settled' | 'new';
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/**
 * The cells that turn a cached table into the requested one: events that were added since, and earlier events to subtract. The latter
 * are in a bucket that the range cuts, but outside of the range.
 */
export interface AddedCells extends Epoch {
  readonly cells: readonly AddedCell[];
}
