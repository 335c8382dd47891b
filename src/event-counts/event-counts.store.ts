import type { Read } from '../database/read.js';
import type { EventCriteria } from '../events/event.js';
import { selectNewest } from '../events/event-selects.store.js';
import { type EventList, hide, type ToCondition, type ToList } from '../events/one-plan.store.js';
import { Prisma } from '../generated/prisma/client.js';
import type { CountRange } from '../log-version/counted-log.js';
import { type Epoch, type EpochSource, isSameEpoch } from '../log-version/epoch.store.js';
import { type CachedStarts, createBucketStarts, toInstant } from './bucket-starts.store.js';
import type { AddedCell, AddedCells, CountedKey, CountTable, Extent } from './count-table.js';
import type { EventDimension } from './event-counts.js';

/** The column of each dimension. */
const COLUMNS = {
  TYPE: 'type',
  PROJECT: 'project',
  FEATURE: 'feature_name',
  ENVIRONMENT: 'environment',
  CREATED_BY: 'created_by',
} as const satisfies Record<EventDimension, string>;

export interface TableRequest {
  readonly by: EventDimension | null;
  /** The starts of buckets in milliseconds, ascending. Without starts, all events are in the bucket 0. */
  readonly starts: readonly number[];
  /** The number of groups to list. The statement adds up all smaller groups. */
  readonly most: number;
  /** Only events up to this id are counted. */
  readonly upTo?: number;
}

/** Two instants in milliseconds. The second one is not part of the span. */
export type Span = readonly [number, number];

/**
 * The longest span that is read with one plan for all values (docs/decisions/035-one-plan.md). The ends of the span are then
 * hidden from the planner, which expects half a percent of the events. That estimate suits a short span.
 */
const SHORT_SPAN_MS = 24 * 60 * 60 * 1000;

export interface AddedRequest {
  readonly by: EventDimension | null;
  /** The starts of buckets in milliseconds, ascending. No cell has events of two buckets. */
  readonly starts: readonly number[];
  readonly range: CountRange;
  /** Events with ids up to `range.after` are counted only if their times are in one of these spans. */
  readonly spans: readonly Span[];
}

/** The queries that count events by group and time. */
export function createCountTables(
  read: Read,
  condition: ToCondition,
  toList: ToList,
  epochs: EpochSource,
  cachedStarts: CachedStarts,
) {
  const readTable = async (criteria: EventCriteria, request: TableRequest): Promise<CountTable> => {
    const [row] = await read<Omit<CountTable, 'keys'> & { keys: CountedKey[] | null }>(
      selectTable(epochs, await condition(criteria), request),
    );
    if (!row) throw new Error('A query that returns one row returned none.');
    return { ...row, keys: row.keys ?? [] };
  };
  const tables = {
    async findExtent(criteria: EventCriteria): Promise<Extent> {
      const [row] = await read<Extent>(Prisma.sql`
        SELECT ${toMs(Prisma.sql`min(created_at)`)} AS first, ${toMs(Prisma.sql`max(created_at)`)} AS last
        FROM events WHERE ${await condition(criteria)}`);
      return row ?? { first: null, last: null };
    },

    /** Counts the matching events by group and bucket, at one moment. */
    readTable,

    /** Counts the events up to an id. Returns null if the epoch of the log (log-version/totals.ts) changed meanwhile. */
    async readTableUpTo(criteria: EventCriteria, request: TableRequest & { readonly upTo: number }): Promise<CountTable | null> {
      const [before] = await read<Epoch>(Prisma.sql`SELECT ${epochs.columns}`);
      const table = await readTable(criteria, request);
      return before && isSameEpoch(table, before) ? table : null;
    },

    /** Counts the events that were added in a range of ids, and older events in some spans of time, at one moment. */
    async readAdded(criteria: EventCriteria, request: AddedRequest): Promise<AddedCells> {
      const isShort = request.range.isShort && request.spans.every(([from, to]) => to - from <= SHORT_SPAN_MS);
      const list = await toList(criteria, isShort);
      const [row] = await read<Epoch & { cells: CellColumns[] | null }>(selectAdded(epochs, list, request), {
        isPrepared: isShort && list.isPrepared && (list.hasOnePlan || request.spans.length === 0),
      });
      if (!row) throw new Error('A query that returns one row returned none.');
      return { epoch: row.epoch, server: row.server, cells: (row.cells ?? []).map(toCell) };
    },
  };
  // With a spread, V8 would create new hidden classes for each object, as events/event.store.ts explains.
  return Object.assign(tables, createBucketStarts(read, cachedStarts));
}

/**
 * Returns SQL for a time in whole milliseconds of Unix time, or for an infinite number if the time is infinite. `date_trunc` cuts
 * off the microseconds exactly. `floor` would return a millisecond too few for some times, because a double cannot hold their
 * seconds exactly.
 */
function toMs(time: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`round(date_part('epoch', date_trunc('milliseconds', ${time})) * 1000)`;
}

function toKeyColumn(by: EventDimension | null): Prisma.Sql {
  return by ? Prisma.raw(COLUMNS[by]) : Prisma.sql`NULL::text`;
}

function toBucket(starts: readonly number[]): Prisma.Sql {
  if (starts.length === 0) return Prisma.sql`0::int`;
  // Seconds and milliseconds are converted separately: `to_timestamp` takes a double, which is inexact to the millisecond for
  // distant years. PostgreSQL evaluates the subquery once for all rows.
  return Prisma.sql`width_bucket(created_at, (
    SELECT array_agg(to_timestamp(ms / 1000) + ms % 1000 * interval '1 ms' ORDER BY ms)
    FROM unnest(${`{${starts.join()}}`}::text::bigint[]) AS ms))`;
}

/**
 * Works like `toBucket`, for at least one start. PostgreSQL parses the starts once, because the parameter itself is a `float8[]`.
 */
function toBucketByMs(starts: readonly number[]): Prisma.Sql {
  return Prisma.sql`width_bucket(${toMs(Prisma.sql`created_at`)}, ${`{${starts.join()}}`}::float8[])`;
}

/**
 * Selects the columns by which events are grouped, and their times. Without `OFFSET 0`, PostgreSQL would expect nearly as many
 * buckets as events have times, and sort the events on disk instead of grouping them in a hash table.
 */
function toCounted(columns: Prisma.Sql, from: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT ${columns}, created_at FROM ${from} OFFSET 0) AS counted`;
}

/**
 * Selects the epoch, and the cells of the added events and of the spans. The few events of a short range are compared with the
 * starts in milliseconds, because converting the times of events is faster than converting and sorting all starts.
 */
function selectAdded({ columns }: EpochSource, list: EventList, { by, starts, range, spans }: AddedRequest): Prisma.Sql {
  const select = (age: Prisma.Sql, from: Prisma.Sql, bucket = Prisma.sql`0`) => Prisma.sql`
    SELECT key, age, count(*)::int AS count, ${toMs(Prisma.sql`min(created_at)`)} AS first, ${toMs(Prisma.sql`max(created_at)`)} AS last
    FROM ${toCounted(Prisma.sql`${toKeyColumn(by)} AS key, ${age} AS age, ${bucket} AS bucket`, from)} GROUP BY key, age, bucket`;
  const wrap = (value: Prisma.Sql) => (list.hasOnePlan ? hide(value) : value);
  const after = wrap(Prisma.sql`${range.after ?? 0}::int`);
  const added = select(
    Prisma.sql`CASE WHEN id > ${wrap(Prisma.sql`${range.upTo}::int`)} THEN 'new' ELSE 'settled' END`,
    range.isShort
      ? Prisma.sql`(${selectNewest(after)}) AS events WHERE ${list.condition}`
      : Prisma.sql`events WHERE ${list.condition} AND id > ${after}`,
    range.isShort && starts.length > 0 ? toBucketByMs(starts) : toBucket(starts),
  );
  const older = spans.map(([from, to]) => {
    const [since, until] = [from, to].map((ms) => wrap(toInstant(new Date(ms))));
    const matching = Prisma.sql`events WHERE ${list.condition} AND id <= ${after} AND created_at >= ${since} AND created_at < ${until}`;
    return select(Prisma.sql`'old'`, matching);
  });
  return Prisma.sql`
    SELECT ${columns}, (
      SELECT json_agg(json_build_array(key, age, count, first, last)) FROM (${Prisma.join([added, ...older], ' UNION ALL ')}) AS cells
    ) AS cells`;
}

/** An `AddedCell` as a list. JSON has no infinite numbers, so PostgreSQL writes infinite times as strings. */
type CellColumns = readonly [AddedCell['key'], AddedCell['age'], count: number, first: number | string, last: number | string];

function toCell([key, age, count, first, last]: CellColumns): AddedCell {
  return { key, age, count, first: Number(first), last: Number(last) };
}

/**
 * Selects a `CountTable`, with the largest groups first. Groups of equal size are in the order of the UTF-8 bytes of their keys,
 * whatever the collation of the database, and null comes last.
 */
function selectTable({ columns }: EpochSource, condition: Prisma.Sql, { by, starts, most, upTo }: TableRequest): Prisma.Sql {
  const matching = Prisma.sql`events WHERE ${condition} AND ${upTo === undefined ? Prisma.sql`true` : Prisma.sql`id <= ${upTo}::int`}`;
  return Prisma.sql`
    WITH cells AS (
      SELECT key, bucket, count(*)::int AS n, min(created_at) AS first, max(created_at) AS last
      FROM ${toCounted(Prisma.sql`${toKeyColumn(by)} AS key, ${toBucket(starts)} AS bucket`, matching)} GROUP BY key, bucket
    ), keys AS (
      SELECT key, row_number() OVER (ORDER BY sum(n) DESC, key COLLATE "C") AS rank FROM cells GROUP BY key
    ), ranked AS (
      SELECT cells.key, bucket, n, rank FROM cells JOIN keys
        ON coalesce(cells.key, '') = coalesce(keys.key, '') AND (cells.key IS NULL) = (keys.key IS NULL)
    ), merged AS (
      SELECT least(rank, ${most}::int + 1) AS rank, CASE WHEN rank <= ${most}::int THEN key END AS key, bucket, sum(n)::int AS n
      FROM ranked GROUP BY 1, 2, 3
    ), listed AS (
      SELECT rank, key, rank > ${most}::int AS "isRest", array_agg(bucket) AS buckets, array_agg(n) AS counts
      FROM merged GROUP BY rank, key
    )
    SELECT ${columns}, (SELECT count(*)::int FROM keys) AS distinct,
      (SELECT ${toMs(Prisma.sql`min(first)`)} FROM cells) AS first, (SELECT ${toMs(Prisma.sql`max(last)`)} FROM cells) AS last,
      (SELECT json_agg(json_build_object('key', key, 'isRest', "isRest", 'buckets', buckets, 'counts', counts) ORDER BY rank)
        FROM listed) AS keys`;
}
