import { createSettledValues } from '../log-version/settled-values.js';
import type { KeptTable } from './kept-table.js';

/** A table has at most this many numbers, of four bytes each. */
export const MAX_NUMBERS = 1_000_000;

/** All cached tables together have at most this many numbers. */
const MAX_ALL_NUMBERS = 8_000_000;

/** The memory of a table besides its numbers, expressed as this many numbers. */
const NUMBERS_OF_TABLE = 1_000;

/** The memory of a group's key, expressed as this many numbers. */
const NUMBERS_OF_GROUP = 20;

/** Stands for a table with too many groups to cache. */
export const TOO_LARGE = 'too large';

export type KeptTables = ReturnType<typeof createKeptTables>;

/** Caches tables by filter, dimension, interval and time zone. */
export function createKeptTables() {
  return createSettledValues<KeptTable | typeof TOO_LARGE>({
    maxSize: MAX_ALL_NUMBERS,
    sizeCalculation: ({ value }) => NUMBERS_OF_TABLE + (value === TOO_LARGE ? 0 : sizeOf(value)),
  });
}

function sizeOf({ numbers, starts, cut }: KeptTable): number {
  return numbers.size * starts.length + (numbers.size + (cut?.numbers.size ?? 0)) * NUMBERS_OF_GROUP;
}
