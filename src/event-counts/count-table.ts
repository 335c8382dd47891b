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

/** Numbers of matching events by group and bucket at one moment. */
export interface CountTable extends Epoch {
  readonly keys: readonly CountedKey[];
  readonly distinct: number;
}
