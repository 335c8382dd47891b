import { DEFAULT_LIMIT, MAX_LIMIT } from './event-page.js';

/** The values on which the cost of a field depends: its arguments, and the cost of its selection for one item. */
export interface FieldCost<Args> {
  readonly args: Args;
  readonly childComplexity: number;
}

/** The fixed cost of a search with its total, as much as ten events. */
const SEARCH = 10;

/** The fixed cost of a free-text search, which can read many more rows than it finds. */
const TEXT_SEARCH = 50;

interface CountsArgs {
  readonly filter?: { readonly query?: string | null } | null;
  readonly by?: unknown;
  readonly interval?: unknown;
}

interface SearchArgs {
  readonly filter?: { readonly query?: string | null } | null;
  readonly limit?: number;
  readonly first?: number | null;
  readonly last?: number | null;
}

/** Returns the cost of a search as if it found all requested events. How many it finds is unknown before the query runs. */
export function costOfSearch({ args: { filter, limit, first, last }, childComplexity }: FieldCost<SearchArgs>): number {
  const requested = limit ?? first ?? last ?? DEFAULT_LIMIT;
  return (filter?.query ? TEXT_SEARCH : SEARCH) + clampPageSize(requested) * childComplexity;
}

/** The additional cost of buckets, and also of groups. The largest `eventCounts` takes as long to write as this many events. */
const COUNTS = 50;

/** Returns the cost of counts. A response with buckets or groups is larger than a total. */
export function costOfCounts({ args }: FieldCost<CountsArgs>): number {
  return (args.filter?.query ? TEXT_SEARCH : SEARCH) + (args.interval ? COUNTS : 0) + (args.by ? COUNTS : 0);
}

/** The cost of `changes`: comparing two states of usual length and writing the differences take as long as two events. */
export const COST_OF_CHANGES = 2;

/** A cost of 1 covers this many compared characters: the comparison takes as long as one event of a page. */
const COMPARED_CHARACTERS = 500;

/**
 * Returns the cost of comparing the states of events, beyond what the cost of the operation covers.
 * @param included the number of events whose `changes` the cost of the operation covers
 */
export function costOfComparison(events: readonly { readonly comparedLength: number }[], included: number): number {
  const characters = events.reduce((sum, { comparedLength }) => sum + comparedLength, 0);
  return Math.max(0, Math.floor(characters / COMPARED_CHARACTERS) - COST_OF_CHANGES * included);
}

/** The cost of reading the version of the log, as much as the cheapest operation. */
export const COST_OF_VERSION = 1;

/** PostgreSQL skips this many rows in an index in the time that one event of a page takes. */
const SKIPPED_ROWS = 100;

/** A cost of 1 covers this many rows that PostgreSQL compares with a text: they take as long as one event of a page. */
const COMPARED_ROWS = 10;

/** A cost of 1 covers this many rows that PostgreSQL counts by group and time: they take as long as one event of a page. */
const GROUPED_ROWS = 15;

/** The budget of a minute pays for the rows of at least this many searches, however large the log is. */
const SEARCHES_PER_MINUTE = 4;

/** The work of an operation that its fixed cost does not cover, as numbers of rows and values. */
export interface RowsRead {
  /** Rows that are skipped before a page at an offset, or entries of an index that are counted. */
  readonly skipped: number;
  /** Rows that are counted by group and time. */
  readonly grouped: number;
  /** Rows that are compared with a free text. */
  readonly compared: number;
  /** Values in the lists of a filter. The database looks each one up. */
  readonly lookedUp: number;
  /** Events on the second and later pages of a flag's events. */
  readonly returned: number;
}

/**
 * Returns the cost of work that is known only while an operation runs. The fixed cost of a search covers the first compared rows
 * and the first values that are looked up. Each event on the later pages of a flag costs 1, whatever fields are selected.
 */
export function costOfRows({ skipped = 0, grouped = 0, compared = 0, lookedUp = 0, returned = 0 }: Partial<RowsRead>): number {
  const textSearch = Math.max(0, Math.floor(compared / COMPARED_ROWS) - TEXT_SEARCH);
  const read = Math.floor(skipped / SKIPPED_ROWS) + Math.floor(grouped / GROUPED_ROWS);
  return read + textSearch + Math.max(0, lookedUp - SEARCH) + returned;
}

/** Returns the cost of a further page of a stream: the fixed cost of a search, and 1 for each event, whatever its fields. */
export function costOfStreamPage(events: number): number {
  return SEARCH + events;
}

/** Returns the most that is charged at once for the rows that a search reads. @param perMinute the budget; 0 for no limit */
export function maxCostOfRows(perMinute: number): number {
  return perMinute === 0 ? Number.POSITIVE_INFINITY : Math.floor(perMinute / SEARCHES_PER_MINUTE);
}

/**
 * Returns the cost of a flag's events. Their number is unknown before the query runs, so they cost as much as the largest page.
 * `costOfRows` charges for the events after that page.
 */
export function costOfFeature({ childComplexity }: FieldCost<unknown>): number {
  return SEARCH + MAX_LIMIT * childComplexity;
}

/** Limits a page size to the valid range, because the cost is computed before event-page.ts rejects an invalid size. */
function clampPageSize(size: number): number {
  return Math.min(Math.max(size, 0), MAX_LIMIT);
}
