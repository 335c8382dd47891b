import { LRUCache } from 'lru-cache';
import type { Read } from '../database/read.js';
import { Prisma } from '../generated/prisma/client.js';
import { toText } from './time-text.js';
import { toPostgresZone } from './time-zone.js';

/** The calendar units, each with the SQL interval from the start of one bucket to the next. */
const STEPS = {
  day: '1 day',
  week: '7 days',
  month: '1 month',
  quarter: '3 months',
  year: '1 year',
  decade: '10 years',
} as const;

export type CalendarUnit = keyof typeof STEPS;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The ends of a range are rounded to multiples of these durations. Each duration has some 20 buckets. A range that moves with the
 * clock then uses the same cached list for a while.
 */
const MULTIPLES_MS = {
  hour: DAY_MS,
  day: 20 * DAY_MS,
  week: 150 * DAY_MS,
  month: 600 * DAY_MS,
  quarter: 1_800 * DAY_MS,
  year: 7_000 * DAY_MS,
  decade: 70_000 * DAY_MS,
} as const satisfies Record<CalendarUnit | 'hour', number>;

/** The maximum number of cached lists. Each list has up to some 1,100 numbers. */
const MAX_LISTS = 500;

/** The lifetime of a cached list. It is limited because an update of PostgreSQL may change the rules of a time zone. */
const CACHED_MS = 3_600_000;

export type CachedStarts = ReturnType<typeof createCachedStarts>;

/** Creates the cache for the starts of buckets, by unit, time zone and range. */
export function createCachedStarts() {
  return new LRUCache<string, readonly number[]>({ max: MAX_LISTS, ttl: CACHED_MS });
}

/** The error code of PostgreSQL for a time zone that its own time zone database lacks. */
const INVALID_PARAMETER = '22023';

export type BucketStarts = ReturnType<typeof createBucketStarts>;

/** Creates the query for the instants at which buckets begin. PostgreSQL computes them, because it knows the time zones. */
export function createBucketStarts(read: Read, cached: CachedStarts) {
  return {
    /**
     * Lists the starts of the buckets of a range, and some starts before and after the range, as ascending milliseconds of Unix
     * time. Callers must limit the range to some 1,000 buckets.
     * @returns null if PostgreSQL does not know the time zone
     */
    async listBucketStarts(
      unit: CalendarUnit | 'hour',
      zone: string,
      first: Date,
      last: Date,
    ): Promise<readonly number[] | null> {
      const multiple = MULTIPLES_MS[unit];
      const from = Math.floor(first.getTime() / multiple) * multiple;
      const to = Math.ceil(last.getTime() / multiple) * multiple;
      const key = `${unit} ${from} ${to} ${zone}`;
      const known = cached.get(key);
      if (known) return known;
      const starts = await selectStarts(read, unit, zone, new Date(from), new Date(to));
      if (starts) cached.set(key, starts);
      return starts;
    },
  };
}

async function selectStarts(
  read: Read,
  unit: CalendarUnit | 'hour',
  timeZone: string,
  first: Date,
  last: Date,
): Promise<number[] | null> {
  const zone = toPostgresZone(timeZone);
  const starts = unit === 'hour' ? selectHours(zone, first, last) : selectDates(unit, zone, first, last);
  try {
    const rows = await read<{ ms: number }>(Prisma.sql`
      SELECT DISTINCT date_part('epoch', start) * 1000 AS ms FROM (${starts}) AS starts ORDER BY ms`);
    return rows.map(({ ms }) => Math.round(ms));
  } catch (error) {
    if ((error as { code?: unknown }).code === INVALID_PARAMETER) return null;
    throw error;
  }
}

/**
 * Selects the starts of days and longer buckets. A date begins at its first midnight on the clock. If the clock is set back past
 * midnight, as in Havana, a date has two midnights. PostgreSQL converts such a date to the second midnight. The query computes
 * the first midnight from the offset of the day before. A date without midnight begins when the clock is set forward.
 */
function selectDates(unit: CalendarUnit, zone: string, first: Date, last: Date): Prisma.Sql {
  const step = Prisma.sql`${STEPS[unit]}::interval`;
  const labelOf = (instant: Date) => Prisma.sql`date_trunc(${unit}::text, ${toInstant(instant)} AT TIME ZONE ${zone}::text)`;
  return Prisma.sql`
    SELECT CASE WHEN earlier < found AND earlier AT TIME ZONE ${zone}::text = label THEN earlier ELSE found END AS start
    FROM (
      SELECT label, found, (label - ((day_before AT TIME ZONE ${zone}::text) - (day_before AT TIME ZONE 'UTC'))) AT TIME ZONE 'UTC' AS earlier
      FROM (
        SELECT label, label AT TIME ZONE ${zone}::text AS found, label AT TIME ZONE ${zone}::text - interval '24 hours' AS day_before
        FROM generate_series(${labelOf(first)} - ${step}, ${labelOf(last)} + 2 * ${step}, ${step}) AS label
      ) AS found
    ) AS candidates`;
}

/**
 * Selects the starts of hours. An hour begins when the clock shows a whole hour, and when the clock is set to another hour. All
 * offsets in use today are multiples of 15 minutes, so the query examines an instant every 15 minutes. Whatever the offset, less
 * than 15 minutes pass from a whole hour to the next of these instants.
 */
function selectHours(zone: string, first: Date, last: Date): Prisma.Sql {
  const hourOf = (instant: Prisma.Sql) => Prisma.sql`date_trunc('hour', ${instant} AT TIME ZONE ${zone}::text)`;
  const at = Prisma.sql`instant`;
  return Prisma.sql`
    SELECT CASE WHEN since_hour < interval '15 minutes' THEN instant - since_hour ELSE instant END AS start
    FROM (
      SELECT instant, (instant AT TIME ZONE ${zone}::text) - ${hourOf(at)} AS since_hour,
        ${hourOf(at)} <> ${hourOf(Prisma.sql`(instant - interval '15 minutes')`)} AS is_other_hour
      FROM generate_series(
        date_trunc('hour', ${toInstant(first)} AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '3 hours',
        ${toInstant(last)} + interval '3 hours', interval '15 minutes') AS instant
    ) AS instants
    WHERE since_hour < interval '15 minutes' OR is_other_hour`;
}

/** Returns SQL for the instant as a `timestamptz`. */
export function toInstant(instant: Date): Prisma.Sql {
  return Prisma.sql`${toText(instant)}::text::timestamptz`;
}
