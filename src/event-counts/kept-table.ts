import type { Buckets } from './buckets.js';
import type { AddedCell, CountedKey, CountTable, Extent } from './count-table.js';
import { type Bounds, type Cuttable, findSpanAfter, findSpanBefore, isInside, moveCut } from './range-cut.js';

/**
 * A cached table: the numbers of events up to a watermark, by group and time. Later counts use the table instead of reading these
 * events again (docs/decisions/038-counts.md).
 */
export interface KeptTable extends Extent, Cuttable {
  /** Whether events before the first start were not counted. */
  readonly isBounded: boolean;
  /** The numbers of each group: at index 0 for events before the first start, then for events from each start to the next. */
  readonly numbers: ReadonlyMap<string | null, Uint32Array>;
}

export function keepTable({ keys, first, last }: CountTable, starts: readonly number[], isBounded: boolean): KeptTable {
  const numbers = new Map<string | null, Uint32Array>();
  for (const { key, buckets, counts } of keys) {
    const row = new Uint32Array(starts.length + 1);
    buckets.forEach((bucket, index) => {
      row[bucket] = counts[index] ?? 0;
    });
    numbers.set(key, row);
  }
  return { starts, isBounded, numbers, cut: null, first, last };
}

/** Returns the starts of a table together with the ends of a range. Added events are counted in these finer buckets. */
export function refine({ starts }: Pick<KeptTable, 'starts'>, { since, until }: Bounds): number[] {
  if (starts.length === 0) return [];
  return [...new Set([...starts, ...[since, until].filter((end) => end !== null)])].sort((one, other) => one - other);
}

/** Returns a table that also has the added events up to the watermark, and the cut of the range. */
export function settleTable(table: KeptTable, cells: readonly AddedCell[], bounds: Bounds): KeptTable {
  const settled = cells.filter(({ age }) => age === 'settled');
  const cut = moveCut(table, cells, bounds);
  if (settled.length === 0) return cut === table.cut ? table : { ...table, cut };
  const numbers = new Map(table.numbers);
  const own = new Set<string | null>();
  for (const { key, first, count } of settled) {
    const row = own.has(key) ? numbers.get(key) : numbers.get(key)?.slice();
    const changed = row ?? new Uint32Array(table.starts.length + 1);
    const place = findPlace(table.starts, first);
    changed[place] = (changed[place] ?? 0) + count;
    own.add(key);
    numbers.set(key, changed);
  }
  return { ...table, ...extend(table, settled), numbers, cut };
}

/** Returns the times of the first and the last event of a table and some cells together. */
export function extend({ first, last }: Extent, cells: readonly AddedCell[]): Extent {
  let [least, most] = [first ?? Number.POSITIVE_INFINITY, last ?? Number.NEGATIVE_INFINITY];
  for (const cell of cells) [least, most] = [Math.min(least, cell.first), Math.max(most, cell.last)];
  return least > most ? { first: null, last: null } : { first: least, last: most };
}

/**
 * Whether the table has the counts of a range of time. It has them if all events of the range, including the added ones, are known
 * to be at or after the first and before the last entry of `starts`. Without starts, the table has only the counts of all times.
 */
export function covers(
  { starts, isBounded, numbers }: KeptTable,
  { since, until }: Bounds,
  added: readonly AddedCell[] = [],
): boolean {
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined) return since === null && until === null;
  const places = new Set(added.map((cell) => findPlace(starts, cell.first)));
  const hasOutside = (place: number) => places.has(place) || [...numbers.values()].some((row) => (row[place] ?? 0) > 0);
  const coversStart = since === null ? !isBounded && !hasOutside(0) : since >= first;
  return coversStart && (until === null ? !hasOutside(starts.length) : until <= last);
}

/** Whether each bucket of the response begins and ends at a start in the table or at an end of the range. */
export function hasStarts(table: KeptTable, buckets: Buckets, { since, until }: Bounds): boolean {
  const known = new Set<number | null>([...table.starts, since, until]);
  return buckets.starts.every((start) => known.has(start));
}

/** A table with the cut of the range, the cells that were read for that range, and the buckets of the response. */
export interface Combination {
  readonly table: KeptTable;
  readonly cells: readonly AddedCell[];
  readonly bounds: Bounds;
  /** Null if no interval was requested. */
  readonly buckets: Buckets | null;
  /** The number of groups to list. All smaller groups are added up. */
  readonly most: number;
}

/** Returns the groups in the form of `readTable` (event-counts.store.ts): the largest groups, and one entry for all others. */
export function combine({ table, cells, bounds, buckets, most }: Combination): Pick<CountTable, 'keys' | 'distinct'> {
  const ends = buckets?.starts ?? [];
  const length = Math.max(1, ends.length - 1);
  const targets = findTargets(table.starts, ends);
  const rows = new Map([...table.numbers].map(([key, numbers]) => [key, project(numbers, targets, length)] as const));
  const add = (key: string | null, time: number, count: number) => {
    const target = targets[findPlace(table.starts, time)] ?? -1;
    if (target < 0) return;
    const row = rows.get(key) ?? new Float64Array(length);
    row[target] = (row[target] ?? 0) + count;
    rows.set(key, row);
  };
  const [before, after] = [findSpanBefore(table.starts, bounds), findSpanAfter(table.starts, bounds)];
  for (const { key, first, age, count } of cells) {
    if (age !== 'new' && isInside(after, first)) add(key, first, -count);
    if (age === 'new' && !isInside(before, first) && !isInside(after, first)) add(key, first, count);
  }
  // The cut also has the events before the range that were read for this request.
  if (table.cut) for (const [key, count] of table.cut.numbers) add(key, table.cut.since, -count);
  return rank(rows, most);
}

/** Returns the bucket of the response for each place in a row of the table; -1 for places outside of the range. */
function findTargets(starts: readonly number[], ends: readonly number[]): Int32Array {
  if (starts.length === 0) return Int32Array.of(0);
  const targets = new Int32Array(starts.length + 1).fill(-1);
  let target = 0;
  for (let place = 1; place < starts.length; place += 1) {
    const [start = 0, end = 0] = [starts[place - 1], starts[place]];
    while (target < ends.length - 2 && start >= (ends[target + 1] ?? 0)) target += 1;
    if (end > (ends[0] ?? 0) && start < (ends.at(-1) ?? 0)) targets[place] = target;
  }
  return targets;
}

function project(numbers: Uint32Array, targets: Int32Array, length: number): Float64Array {
  const row = new Float64Array(length);
  for (let place = 0; place < numbers.length; place += 1) {
    const target = targets[place] ?? -1;
    if (target >= 0) row[target] = (row[target] ?? 0) + (numbers[place] ?? 0);
  }
  return row;
}

function rank(rows: ReadonlyMap<string | null, Float64Array>, most: number): Pick<CountTable, 'keys' | 'distinct'> {
  const sized = [...rows].map(([key, row]) => ({ key, row, size: row.reduce((sum, count) => sum + count, 0) }));
  const groups = sized
    .filter(({ size }) => size > 0)
    .sort((one, other) => other.size - one.size || compareKeys(one.key, other.key));
  const rest = new Float64Array(groups[0]?.row.length ?? 0);
  for (const { row } of groups.slice(most))
    for (let index = 0; index < rest.length; index += 1) rest[index] = (rest[index] ?? 0) + (row[index] ?? 0);
  const toKey = (key: string | null, row: Float64Array, isRest: boolean): CountedKey => ({
    key,
    isRest,
    buckets: Array.from(row, (_, index) => index + 1),
    counts: [...row],
  });
  const keys = groups.slice(0, most).map(({ key, row }) => toKey(key, row, false));
  return { keys: groups.length > most ? [...keys, toKey(null, rest, true)] : keys, distinct: groups.length };
}

const SURROGATE = /[\ud800-\udfff]/;

/** Compares keys in the order of `readTable`: by UTF-8 bytes, with null last. Only surrogates have another order in UTF-16. */
function compareKeys(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (SURROGATE.test(one) || SURROGATE.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : Number(one > other);
}

/** Returns the place of a time in a row of the table. The place 0 is before all starts. */
function findPlace(starts: readonly number[], time: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
