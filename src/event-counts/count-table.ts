import type { Epoch } from '../log-version/epoch.store.js';

/** The numbers of events of one group, by bucket. */
export interface CountedKey {
  /** The value that the events of the group share. Null for events without a value, and if `isRest`. */
  readonly key: string | null;
  /** Whether this entry is the sum of all groups after the largest ones. */
  readonly isRest: boolean;
  /** The bucket of each of `counts`. Bucket 0 is before the first start, bucket 1 is from the first start to the second. */
  readonly buckets: readonly number[];
  readonly counts: readonly number[];
}

/** The times of the first and the last event, in milliseconds. Null without events; infinite for PostgreSQL's infinite times. */
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
 * A number of events that have the same group and age, and are in the same bucket. `first` and `last` are the times of the first
 * and the last of these events, in milliseconds, or infinite.
 */
export interface AddedCell {
  readonly key: string | null;
  /**
   * `old` for events in the cached table. The table lacks the others. `settled` events have ids up to the watermark, so the table
   * can include them from now on. `new` events have ids above the watermark (log-version/watermark.ts).
   */
  readonly age: 'old' | 'settled' | 'new';
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/**
 * The cells that turn a cached table and its last cut (range-cut.ts) into the requested counts. Events that the table lacks are
 * added. Events outside of the requested range are subtracted if they are in a bucket that the range cuts.
 */
export interface AddedCells extends Epoch {
  readonly cells: readonly AddedCell[];
}
