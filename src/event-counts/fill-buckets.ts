import type { Buckets } from './buckets.js';
import type { CountedKey, CountTable } from './count-table.js';
import type { CountBucket, CountsRequest, EventCounts } from './event-counts.js';

/** Returns whether an event of the table is outside of all buckets, because it was added after their range was read. */
export function hasOutside({ keys }: CountTable, { starts }: Buckets): boolean {
  return keys.some(({ buckets }) => buckets.some((bucket) => bucket === 0 || bucket >= starts.length));
}

/** Makes the response from a table. @param buckets null if no interval was requested, or nothing matches */
export function summarize(table: CountTable, buckets: Buckets | null, { by, top }: CountsRequest): EventCounts {
  const length = buckets ? buckets.starts.length - 1 : 0;
  const all = table.keys.map((counted) => ({ counted, count: sum(counted.counts) }));
  const total = sum(all.map(({ count }) => count));
  const listed = by ? all.filter(({ counted }) => !counted.isRest).slice(0, top) : [];
  const groups = listed.map(({ counted, count }) => ({ key: counted.key, count, counts: spread([counted], length) }));
  const counts = spread(table.keys, length);
  return {
    total,
    interval: buckets?.interval ?? null,
    buckets: buckets ? counts.map((count, index) => toBucket(buckets, index, count)) : [],
    groups,
    other: total - sum(groups.map(({ count }) => count)),
    distinct: by ? table.distinct : 0,
  };
}

function toBucket({ starts }: Buckets, index: number, count: number): CountBucket {
  return { start: new Date(starts[index] ?? 0), end: new Date(starts[index + 1] ?? 0), count };
}

/** Adds up the numbers of some groups by bucket. Buckets without events have 0. */
function spread(keys: readonly CountedKey[], length: number): number[] {
  const numbers = new Array<number>(length).fill(0);
  for (const { buckets, counts } of keys)
    buckets.forEach((bucket, index) => {
      if (bucket >= 1 && bucket <= length) numbers[bucket - 1] = (numbers[bucket - 1] ?? 0) + (counts[index] ?? 0);
    });
  return numbers;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
