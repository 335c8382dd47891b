import type { Epoch } from '../log-version/epoch.store.js';

/** Numbers of the events of one group. */
export interface CountedKey {
  /** Null for events without a value, and for `isRest`. */
  readonly key: string | null;
  /** Whether this stands for all groups after the largest ones. */
  readonly isRest: boolean;
  /** Positions in the list of starts: 0 for events before the first start, 1 for events between the first and the second. */
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

/** A number of events of one group and bucket. */
export interface AddedCell {
  readonly key: string | null;
  readonly bucket: number;
  /** `old` for events that a kept table has, `settled` for later ones up to the watermark, `new` for those above it. */
  readonly age: 'old' | 'settled' | 'new';
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** The events that were added to a kept table, and those of its events that are outside of a range. */
export interface AddedCells extends Epoch {
  readonly cells: readonly AddedCell[];
}
