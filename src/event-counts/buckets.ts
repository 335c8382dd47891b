import { Problems } from '../errors.js';
import type { BucketStarts, CalendarUnit } from './bucket-starts.store.js';
import { type CountInterval, type CountsRequest, MAX_AUTO_BUCKETS, MAX_BUCKETS, MAX_CELLS } from './event-counts.js';
import { TIME_ZONE_RULE } from './time-zone.js';

type Unit = CalendarUnit | 'minute' | 'hour';
type Interval = Exclude<CountInterval, 'AUTO'>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The units from the shortest to the longest. No bucket is longer than `longestMs`. The API reports the unit as `interval`. */
const UNITS: readonly { readonly unit: Unit; readonly longestMs: number; readonly interval: Interval }[] = [
  { unit: 'minute', longestMs: MINUTE_MS, interval: 'MINUTE' },
  { unit: 'hour', longestMs: 2 * HOUR_MS, interval: 'HOUR' },
  { unit: 'day', longestMs: 2 * DAY_MS, interval: 'DAY' },
  { unit: 'week', longestMs: 8 * DAY_MS, interval: 'WEEK' },
  { unit: 'month', longestMs: 32 * DAY_MS, interval: 'MONTH' },
  // Only `AUTO` uses the following units, if months would give too many buckets.
  { unit: 'quarter', longestMs: 93 * DAY_MS, interval: 'MONTH' },
  { unit: 'year', longestMs: 367 * DAY_MS, interval: 'MONTH' },
  { unit: 'decade', longestMs: 3_654 * DAY_MS, interval: 'MONTH' },
];

const INTERVALS = UNITS.filter(({ unit, interval }) => unit.toUpperCase() === interval);

/** The range that buckets cover. */
export interface BucketRange {
  readonly first: Date;
  /** The end of the range, which is not part of it. */
  readonly last: Date;
  /** Whether the filter sets `first`. The first bucket then begins at `first`. Otherwise, the first bucket is whole. */
  readonly isCutAtFirst: boolean;
  /** Whether the filter sets `last`. The last bucket then ends at `last`. Otherwise, the last bucket is whole. */
  readonly isCutAtLast: boolean;
}

/** Successive buckets. `starts` has the start of each bucket and then the end of the last one, in milliseconds of Unix time. */
export interface Buckets {
  readonly unit: Unit;
  readonly interval: Interval;
  readonly starts: readonly number[];
}

/**
 * Divides a range into buckets. bucket-starts.store.ts has the rules for time zones and for changes of the clock.
 * fill-buckets.ts gives a bucket without events the count 0.
 * @throws GatewayError BadDataError if PostgreSQL does not know the time zone, or if the interval gives too many buckets. The
 *   message then recommends a longer interval if one fits
 */
export async function divide(
  range: BucketRange,
  { interval, timeZone, by, top }: CountsRequest & { readonly interval: CountInterval },
  source: BucketStarts,
): Promise<Buckets> {
  const isAuto = interval === 'AUTO';
  const most = isAuto ? MAX_AUTO_BUCKETS : Math.min(MAX_BUCKETS, by ? Math.floor(MAX_CELLS / top) : MAX_BUCKETS);
  const requested = isAuto ? UNITS : INTERVALS.filter((each) => each.interval === interval);
  const found = await findFirst(requested, most, range, timeZone, source);
  if (found) return found;
  const longer = INTERVALS.slice(INTERVALS.findIndex((each) => each.interval === interval) + 1);
  const fitting = isAuto ? null : await findFirst(longer, most, range, timeZone, source);
  const advice = fitting ? `use ${fitting.interval}, or a shorter range` : 'use a shorter range';
  throw invalid('interval', `gives more than ${most} buckets in this range: ${advice} by since and until`);
}

/** Returns the buckets of the first unit that gives at most `most` of them. */
async function findFirst(
  units: typeof UNITS,
  most: number,
  range: BucketRange,
  zone: string,
  source: BucketStarts,
): Promise<Buckets | null> {
  const { first, last } = range;
  const length = last.getTime() - first.getTime();
  for (const { unit, longestMs, interval } of units) {
    if (length / longestMs > most) continue;
    const around = unit === 'minute' ? listMinutes(first, last) : await source.listBucketStarts(unit, zone, first, last);
    if (!around) throw invalid('timeZone', TIME_ZONE_RULE);
    const starts = cutTo(around, range);
    if (starts.length - 1 <= most) return { unit, interval, starts };
  }
  return null;
}

/** Returns the unit that `AUTO` gives for most ranges of this length. */
export function estimateAutoUnit(lengthMs: number): Unit {
  return UNITS.find(({ longestMs }) => lengthMs <= MAX_AUTO_BUCKETS * longestMs)?.unit ?? 'decade';
}

/** The minimum number of buckets that a cached table has after the end of its range, for events that are added later. */
const SPARE_BUCKETS = 40;

/** Lists the starts of the buckets of a cached table: the whole buckets of a range, and some later ones. */
export async function listSpareStarts(
  unit: Exclude<Unit, 'minute'>,
  { first, last }: BucketRange,
  zone: string,
  source: BucketStarts,
): Promise<readonly number[]> {
  const longestMs = UNITS.find((each) => each.unit === unit)?.longestMs ?? 0;
  const starts = await source.listBucketStarts(unit, zone, first, new Date(last.getTime() + SPARE_BUCKETS * longestMs));
  if (!starts) throw invalid('timeZone', TIME_ZONE_RULE);
  return starts.slice(starts.findLastIndex((start) => start <= first.getTime()));
}

/** Lists the starts of minutes. They are the same in every time zone. */
function listMinutes(first: Date, last: Date): number[] {
  const start = Math.floor(first.getTime() / MINUTE_MS) * MINUTE_MS;
  const count = Math.ceil((last.getTime() - start) / MINUTE_MS);
  return Array.from({ length: count + 1 }, (_, index) => start + index * MINUTE_MS);
}

/**
 * Returns the starts of the buckets that overlap with the range, and then the end of the last bucket. The first and the last
 * bucket are whole, unless `isCutAtFirst` or `isCutAtLast` cuts them at the ends of the range.
 */
function cutTo(around: readonly number[], { first, last, isCutAtFirst, isCutAtLast }: BucketRange): number[] {
  const [from, to] = [first.getTime(), last.getTime()];
  const inside = around.filter((start) => start > from && start < to);
  const start = isCutAtFirst ? from : Math.max(...around.filter((each) => each <= from));
  const end = isCutAtLast ? to : Math.min(...around.filter((each) => each >= to));
  return [start, ...inside, end];
}

function invalid(path: string, rule: string) {
  const problems = new Problems();
  problems.add(path, rule);
  return problems.toError();
}
