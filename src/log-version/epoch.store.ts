import { Prisma } from '../generated/prisma/client.js';

/**
 * An epoch is a stretch of the log's life in which events are only appended. It holds on one server: after a failover or a restored backup,
 * events below a watermark may be missing (docs/decisions/009-totals.md).
 */
export interface Epoch {
  readonly epoch: string;
  /** Identifies the start of the server and the table that the epoch belongs to. */
  readonly server: string;
}

export function isSameEpoch(one: Epoch, other: Epoch): boolean {
  return one.epoch === other.epoch && one.server === other.server;
}

/** How a database reports the epoch of its log. */
export interface EpochSource {
  /** A select list of `epoch` and `server`. It is read in the same statement as what is counted. */
  readonly columns: Prisma.Sql;
  /**
   * A statement that publishes a candidate for the watermark and selects `columns`, or no row if the log has no epoch. From then on, the
   * gateway's own database starts a new epoch when an event is added at or below it. An Unleash database does not.
   */
  publish(upTo: number): Prisma.Sql;
}

const SERVER_STARTED_AT = Prisma.sql`extract(epoch FROM pg_postmaster_start_time())`;

const gatewayServer = (startedAt: Prisma.Sql) => Prisma.sql`${startedAt} || '/' || 'gateway_event_log'::regclass::oid AS server`;
const gatewayColumns = (startedAt: Prisma.Sql) =>
  Prisma.sql`(SELECT epoch::text FROM gateway_event_log) AS epoch, ${gatewayServer(startedAt)}`;

/** The epoch in the gateway's own database. Triggers change it with every write except appending an event. */
export const GATEWAY_EPOCH: EpochSource = {
  columns: gatewayColumns(SERVER_STARTED_AT),
  publish: (upTo) => Prisma.sql`
    SELECT epoch::text AS epoch, ${gatewayServer(SERVER_STARTED_AT)}, gateway_settle_events(${upTo}::int) FROM gateway_event_log`,
};

/** The epoch as a replica reads it: that of the primary, which was started at `startedAt`. */
export function replicaEpoch(startedAt: string): EpochSource {
  return { ...GATEWAY_EPOCH, columns: gatewayColumns(Prisma.sql`${startedAt}::text`) };
}

/**
 * The database of an Unleash server has no triggers of the gateway. PostgreSQL counts the rows that were deleted from a table soon after it
 * happened. Any other change of old events is noticed when the hour is over.
 */
const UNLEASH_COLUMNS = Prisma.sql`
  pg_stat_get_tuples_deleted('events'::regclass) || '-' || floor(extract(epoch FROM statement_timestamp()) / 3600) AS epoch,
  ${SERVER_STARTED_AT} || '/' || pg_relation_filenode('events'::regclass) AS server`;

/** The epoch in an Unleash database. The gateway does not change that database (docs/decisions/014-unleash-database.md). */
export const UNLEASH_EPOCH: EpochSource = {
  columns: UNLEASH_COLUMNS,
  publish: () => Prisma.sql`SELECT ${UNLEASH_COLUMNS}`,
};
