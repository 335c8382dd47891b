import { PRIMARY_RUN } from '../database/server.js';
import { Prisma } from '../generated/prisma/client.js';

/**
 * An epoch is a period in which events are only appended to the log. An epoch is valid on one server only, because old events may
 * be missing after a failover or a restored backup (docs/decisions/009-totals.md). The marks in cursors of the feed detect such a
 * loss (event-feed/feed-position.ts).
 */
export interface Epoch {
  readonly epoch: string;
  /**
   * Identifies what the epoch belongs to: the run of the server, the database and the files
   * (docs/decisions/029-identity-of-the-log.md).
   */
  readonly server: string;
}

/** The state of the log at one moment. */
export interface LogState extends Epoch {
  /**
   * The highest position that a late event has taken; 0 without a late event. An event is late if it is added at or below an id
   * that a gateway has already published (totals.ts). Each late event gets a higher position than the late events before it.
   */
  readonly late: number;
}

export function isSameEpoch(one: Epoch, other: Epoch): boolean {
  return one.epoch === other.epoch && one.server === other.server;
}

/** How a database reports the epoch of its log. */
export interface EpochSource {
  /** Whether the database is the gateway's own, with its triggers and indexes. */
  readonly isOwn: boolean;
  /** A select list of `epoch` and `server`, to be read in the same statement as a count. */
  readonly columns: Prisma.Sql;
  /** The SQL value of `LogState.late`. */
  readonly late: Prisma.Sql;
  /**
   * Returns a statement that publishes a candidate for the watermark and selects a `LogState`. From then on, the gateway's own
   * database starts a new epoch when an event is added at or below the candidate, and lists that event as a late event. In an
   * Unleash database, the statement only selects.
   */
  publish(upTo: number): Prisma.Sql;
}

const SERVER_STARTED_AT = Prisma.sql`extract(epoch FROM pg_postmaster_start_time())`;

/** Selects `epoch` and `server`. If the database has no epoch, each read gets another random epoch, so nothing is cached. */
const gatewayColumns = (run: Prisma.Sql) => Prisma.sql`
  coalesce(gateway_log_epoch(), gen_random_uuid()::text) AS epoch, ${run} || '/' || gateway_log_files() AS server`;

/**
 * The highest position that a late event has taken. It is in a sequence, because every transaction sees the present value of a
 * sequence. Until the sequence is first used (`is_called`), `last_value` is a position that is not taken yet.
 */
const LATEST = Prisma.sql`(SELECT CASE WHEN is_called THEN last_value ELSE 0 END::float8 FROM gateway_late_event_position_seq)`;

/**
 * The epoch in the gateway's own database. Triggers start a new epoch when an event is changed or deleted, or is added at or
 * below the published id (totals.ts).
 */
export const GATEWAY_EPOCH: EpochSource = {
  isOwn: true,
  columns: gatewayColumns(Prisma.raw(PRIMARY_RUN)),
  late: LATEST,
  publish: (upTo) =>
    Prisma.sql`SELECT ${gatewayColumns(Prisma.raw(PRIMARY_RUN))}, gateway_settle_events(${upTo}::int), ${LATEST} AS late`,
};

/** The epoch as it is read from a replica. @param run identifies the run of the primary, which the replica cannot read */
export function replicaEpoch(run: string): EpochSource {
  return { ...GATEWAY_EPOCH, columns: gatewayColumns(Prisma.sql`${run}::text`) };
}

/**
 * The epoch and the server of an Unleash database, which has no triggers of the gateway. The epoch consists of the number of
 * deleted events, which PostgreSQL reports soon after a deletion, and of the hour. Any other change of old events is therefore
 * noticed when the hour is over.
 */
const UNLEASH_COLUMNS = Prisma.sql`
  pg_stat_get_tuples_deleted('events'::regclass) || '-' || floor(extract(epoch FROM statement_timestamp()) / 3600) AS epoch,
  ${SERVER_STARTED_AT} || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
    || '/' || pg_relation_filenode('events'::regclass) AS server`;

const NO_LATE = Prisma.sql`0::float8`;

/** The epoch in an Unleash database. The gateway does not change that database (docs/decisions/014-unleash-database.md). */
export const UNLEASH_EPOCH: EpochSource = {
  isOwn: false,
  columns: UNLEASH_COLUMNS,
  late: NO_LATE,
  publish: () => Prisma.sql`SELECT ${UNLEASH_COLUMNS}, ${NO_LATE} AS late`,
};
