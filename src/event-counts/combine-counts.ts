import type { Buckets } from './buckets.js';
import type { AddedCell, CountedKey, CountTable } from './count-table.js';
import { findPlace, type KeptTable } from './kept-table.js';
import { type Bounds, findSpanAfter, findSpanBefore, isInside } from './range-cut.js';

/** The cached and the added numbers of a range, and the form of the response. */
interface Combination {
  /** A cached table. Its `cut` (range-cut.ts) belongs to the range. */
  readonly table: KeptTable;
  /** The cells that were read for the range. */
  readonly cells: readonly AddedCell[];
  readonly bounds: Bounds;
  /** Null if no interval was requested. */
  readonly buckets: Buckets | null;
  /** The number of groups to list. All smaller groups are added up. */
  readonly most: number;
}

/** A number to add to a group in one bucket of the response. It is negative for events that the range cuts off. */
interface Change {
  readonly target: number;
  readonly count: number;
}

interface Group {
  readonly key: string | null;
  /** A row of the table. Empty if all events of the group are new. */
  readonly numbers: Uint32Array;
  readonly changes: readonly Change[];
  /** The number of events in the range. */
  readonly size: number;
}

const NO_NUMBERS = new Uint32Array(0);
const NO_CHANGES: readonly Change[] = [];

/** Returns the groups in the form of `readTable` (event-counts.store.ts): the largest groups, and one entry for all others. */
export function combine(combination: Combination): Pick<CountTable, 'keys' | 'distinct'> {
  const { table, buckets, most } = combination;
  const ends = buckets?.starts ?? [];
  const targets = findTargets(table.starts, ends);
  const groups = listGroups(table, findChanges(combination, targets), targets);
  const largest = findLargest(groups, most);
  const length = Math.max(1, ends.length - 1);
  const bucketNumbers = Array.from({ length }, (_, index) => index + 1);
  const toEntry = (key: string | null, isRest: boolean, members: readonly Group[]): CountedKey => {
    const counts = new Array<number>(length).fill(0);
    for (const group of members) addGroup(counts, group, targets);
    return { key, isRest, buckets: bucketNumbers, counts };
  };
  const keys = largest.map((group) => toEntry(group.key, false, [group]));
  const listed = new Set(largest);
  const others = groups.filter((group) => !listed.has(group));
  return { keys: others.length > 0 ? [...keys, toEntry(null, true, others)] : keys, distinct: groups.length };
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

/** Returns the changes of each group: its new events, and those of the table's events that the range cuts off from a bucket. */
function findChanges({ table, cells, bounds }: Combination, targets: Int32Array): Map<string | null, Change[]> {
  const changes = new Map<string | null, Change[]>();
  const add = (key: string | null, time: number, count: number) => {
    const target = targets[findPlace(table.starts, time)] ?? -1;
    if (target < 0) return;
    const known = changes.get(key);
    if (known) known.push({ target, count });
    else changes.set(key, [{ target, count }]);
  };
  const [before, after] = [findSpanBefore(table.starts, bounds), findSpanAfter(table.starts, bounds)];
  for (const { key, first, age, count } of cells) {
    if (age !== 'new' && isInside(after, first)) add(key, first, -count);
    if (age === 'new' && !isInside(before, first) && !isInside(after, first)) add(key, first, count);
  }
  // The cut also has the events before the range that were read for this request.
  if (table.cut) for (const [key, count] of table.cut.numbers) add(key, table.cut.since, -count);
  return changes;
}

/** Lists the groups that have events in the range. */
function listGroups({ numbers }: KeptTable, changes: ReadonlyMap<string | null, Change[]>, targets: Int32Array): Group[] {
  const groups: Group[] = [];
  const add = (key: string | null, row: Uint32Array) => {
    const changesOfKey = changes.get(key) ?? NO_CHANGES;
    const size = countEvents(row, changesOfKey, targets);
    if (size > 0) groups.push({ key, numbers: row, changes: changesOfKey, size });
  };
  for (const [key, row] of numbers) add(key, row);
  for (const key of changes.keys()) if (!numbers.has(key)) add(key, NO_NUMBERS);
  return groups;
}

/** Counts the events of a group that are in the range. */
function countEvents(numbers: Uint32Array, changes: readonly Change[], targets: Int32Array): number {
  let size = 0;
  for (let place = 0; place < numbers.length; place += 1) if ((targets[place] ?? -1) >= 0) size += numbers[place] ?? 0;
  for (const { count } of changes) size += count;
  return size;
}

/** Adds the numbers of a group to those of the buckets of the response. */
function addGroup(counts: number[], { numbers, changes }: Group, targets: Int32Array): void {
  for (let place = 0; place < numbers.length; place += 1) {
    const target = targets[place] ?? -1;
    if (target >= 0) counts[target] = (counts[target] ?? 0) + (numbers[place] ?? 0);
  }
  for (const { target, count } of changes) counts[target] = (counts[target] ?? 0) + count;
}

/**
 * Returns the largest groups in order, at most `most`. Only the sizes are sorted, as numbers, and not all groups. A log can have
 * hundreds of thousands of groups, and nearly all of them may have one event.
 */
function findLargest(groups: readonly Group[], most: number): Group[] {
  const sizes = new Float64Array(groups.map(({ size }) => size)).sort();
  const least = sizes.at(-most) ?? 0;
  const larger = groups.filter(({ size }) => size > least).sort(compareGroups);
  const equal = groups.filter(({ size }) => size === least);
  return [...larger, ...findFirst(equal, most - larger.length)];
}

/** Returns the first groups in order, at most `most`. */
function findFirst(groups: readonly Group[], most: number): Group[] {
  const first: Group[] = [];
  for (const group of groups) {
    const last = first.length < most ? undefined : first.at(-1);
    if (last && compareGroups(group, last) > 0) continue;
    const place = first.findIndex((each) => compareGroups(group, each) < 0);
    first.splice(place < 0 ? first.length : place, 0, group);
    first.length = Math.min(first.length, most);
  }
  return first;
}

const compareGroups = (one: Group, other: Group): number => other.size - one.size || compareKeys(one.key, other.key);

const SURROGATE = /[\ud800-\udfff]/;

/** Compares keys in the order of `readTable`: by UTF-8 bytes, with null last. Only surrogates have another order in UTF-16. */
function compareKeys(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (SURROGATE.test(one) || SURROGATE.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : Number(one > other);
}
