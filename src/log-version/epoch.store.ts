import { Prisma } from '../generated/prisma/client.js';

/**
 * How a log tells its epoch, in which events are added at its end and nothing else happens (docs/decisions/009-totals.md). An epoch ends in a
 * blank and the server and table it is of: after a failover or a restored backup, what was settled before may not be there.
 */
export interface LogEpochs {
  /** An expression, read in the same statement as what is counted. */
  readonly current: Prisma.Sql;
  /** A statement that makes the epoch end for whoever adds an event up to this id, where the log can, and gives it as `epoch`. */
  publish(upTo: number): Prisma.Sql;
}

/** When the server was started. */
const STARTED_AT = Prisma.sql`extract(epoch FROM pg_postmaster_start_time())`;

const ownEpoch = (startedAt: Prisma.Sql) =>
  Prisma.sql`(SELECT epoch || ' ' || ${startedAt} || '/' || 'gateway_event_log'::regclass::oid FROM gateway_event_log)`;

/** The epoch, and how many events were counted in it: up to an id, and newer than that. */
export interface EpochCount {
  readonly epoch: string;
  readonly between: number;
  readonly newer: number;
}

/** Of the gateway's own database, whose triggers change the epoch with each change that is not an event at the end. */
export const OWN_LOG: LogEpochs = {
  current: ownEpoch(STARTED_AT),
  publish: (upTo) => Prisma.sql`SELECT ${ownEpoch(STARTED_AT)} AS epoch, gateway_settle_events(${upTo}::int)`,
};

/** The same on a replica of the server that was started then: its epochs are those of that server. */
export function ownLogOf(startedAt: string): LogEpochs {
  return { ...OWN_LOG, current: ownEpoch(Prisma.sql`${startedAt}::text`) };
}

/**
 * A database without our triggers counts what was deleted from a table, soon after it was. What else is done to old events by hand is
 * noticed when the hour is over.
 */
const UNLEASH_EPOCH = Prisma.sql`(
  pg_stat_get_tuples_deleted('events'::regclass) || '-' || floor(extract(epoch FROM statement_timestamp()) / 3600)
  || ' ' || ${STARTED_AT} || '/' || pg_relation_filenode('events'::regclass))`;

/** Of the database of another server, in which nothing may be changed (docs/decisions/014-attached-database.md). */
export const UNLEASH_LOG: LogEpochs = {
  current: UNLEASH_EPOCH,
  publish: () => Prisma.sql`SELECT ${UNLEASH_EPOCH} AS epoch`,
};
