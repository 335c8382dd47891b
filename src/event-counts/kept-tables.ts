import { createSettledValues } from '../log-version/settled-values.js';
import type { KeptTable } from './kept-table.js';

/** A table has at most this many numbers, of four bytes each. */
const MAX_NUMBERS = 1_000_000;

/** All cached tables together have at most this many numbers. */
const MAX_ALL_NUMBERS = 8_000_000;

/** The memory of a table besides its numbers, expressed as this many numbers. */
const NUMBERS_OF_TABLE = 1_000;

/** The memory of a group's key, expressed as this many numbers. */
const NUMBERS_OF_GROUP = 20;

/** The most groups of a table with these starts. The groups take at most half of the cache, and the cut (range-cut.ts) the other half. */
export const findMostGroups = (starts: readonly number[]): number =>
  Math.floor(Math.min(MAX_NUMBERS / (starts.length + 1), MAX_ALL_NUMBERS / 2 / (starts.length + 1 + NUMBERS_OF_GROUP)));

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
  return numbers.size * (starts.length + 1) + (numbers.size + (cut?.numbers.size ?? 0)) * NUMBERS_OF_GROUP;
}
