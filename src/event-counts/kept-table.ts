import type { Buckets } from './buckets.js';
import type { AddedCell, CountTable, Extent } from './count-table.js';
import { type Bounds, type Cuttable, moveCut } from './range-cut.js';

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
 * to be at or after the first and before the last entry of `starts`. A table without starts has one count
 * for each group over the whole log.
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

/** Returns the place of a time in a row of the table. The place 0 is before all starts. */
export function findPlace(starts: readonly number[], time: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
