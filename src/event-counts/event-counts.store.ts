import type { Read } from '../database/read.js';
import type { EventCriteria } from '../events/event.js';
import { Prisma } from '../generated/prisma/client.js';
import type { EpochSource } from '../log-version/epoch.store.js';
import { createBucketStarts } from './bucket-starts.store.js';
import type { CountedKey, CountTable } from './count-table.js';
import type { EventDimension } from './event-counts.js';

/** The column of each dimension. */
const COLUMNS = {
  TYPE: 'type',
  PROJECT: 'project',
  FEATURE: 'feature_name',
  ENVIRONMENT: 'environment',
  CREATED_BY: 'created_by',
} as const satisfies Record<EventDimension, string>;

/** The times of the first and the last matching event in milliseconds; infinite for the infinite times of PostgreSQL. */
export interface Extent {
  readonly first: number;
  readonly last: number;
}

export interface TableRequest {
  readonly by: EventDimension | null;
  /** The starts of buckets in milliseconds, ascending. Without starts, all events are in the bucket 0. */
  readonly starts: readonly number[];
  /** How many groups have numbers of their own: the largest ones, and of equal ones those whose keys come first. */
  readonly most: number;
}

/** The queries that count events by group and time. @param condition returns the SQL condition for the criteria */
export function createCountTables(read: Read, condition: (criteria: EventCriteria) => Promise<Prisma.Sql>, epochs: EpochSource) {
  return {
    ...createBucketStarts(read),

    /** Returns null if nothing matches. */
    async findExtent(criteria: EventCriteria): Promise<Extent | null> {
      const [row] = await read<{ first: number | null; last: number | null }>(Prisma.sql`
        SELECT date_part('epoch', min(created_at)) * 1000 AS first, date_part('epoch', max(created_at)) * 1000 AS last
        FROM events WHERE ${await condition(criteria)}`);
      return row?.first == null || row.last == null ? null : { first: Math.floor(row.first), last: Math.floor(row.last) };
    },

    /** Counts what matches by group and bucket, at one moment. */
    async readTable(criteria: EventCriteria, { by, starts, most }: TableRequest): Promise<CountTable> {
      const [row] = await read<Omit<CountTable, 'keys'> & { keys: CountedKey[] | null }>(
        selectTable(epochs, await condition(criteria), by, starts, most),
      );
      if (!row) throw new Error('A query that returns one row returned none.');
      return { ...row, keys: row.keys ?? [] };
    },
  };
}

/** Null is the last of equal keys. The others are in the order of their UTF-8 bytes, whatever the collation of the database. */
function selectTable(
  { columns }: EpochSource,
  condition: Prisma.Sql,
  by: EventDimension | null,
  starts: readonly number[],
  most: number,
): Prisma.Sql {
  const key = by ? Prisma.raw(COLUMNS[by]) : Prisma.sql`NULL::text`;
  const texts = starts.map((start) => new Date(start).toISOString());
  const bucket = starts.length > 0 ? Prisma.sql`width_bucket(created_at, ${texts}::text[]::timestamptz[])` : Prisma.sql`0`;
  return Prisma.sql`
    WITH cells AS (
      SELECT ${key} AS key, ${bucket} AS bucket, count(*)::int AS n FROM events WHERE ${condition} GROUP BY 1, 2
    ), sized AS (
      SELECT key, bucket, n, sum(n) OVER (PARTITION BY key) AS size FROM cells
    ), ranked AS (
      SELECT key, bucket, n, dense_rank() OVER (ORDER BY size DESC, key COLLATE "C") AS rank FROM sized
    ), merged AS (
      SELECT least(rank, ${most}::int + 1) AS rank, CASE WHEN rank <= ${most}::int THEN key END AS key, bucket, sum(n)::int AS n
      FROM ranked GROUP BY 1, 2, 3
    ), listed AS (
      SELECT rank, key, rank > ${most}::int AS "isRest", array_agg(bucket) AS buckets, array_agg(n) AS counts
      FROM merged GROUP BY rank, key
    )
    SELECT ${columns}, (SELECT coalesce(max(rank), 0)::int FROM ranked) AS distinct,
      (SELECT json_agg(json_build_object('key', key, 'isRest', "isRest", 'buckets', buckets, 'counts', counts) ORDER BY rank)
        FROM listed) AS keys`;
}
