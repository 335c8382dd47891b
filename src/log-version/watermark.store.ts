import type { Read } from '../database/read.js';
import { Prisma } from '../generated/prisma/client.js';
import type { EpochSource, LogState } from './epoch.store.js';

/** The entry of `findWriters` that stands for all writers of the primary. A standby cannot list them. */
export const STANDBY = 'standby' as const;

/**
 * The entry of `findWriters` that stands for sessions with unused ids of a sequence with a cache. Such a session may add an event
 * with a low id at any time, and holds no lock until then.
 */
export const CACHED_SEQUENCE = 'cached sequence' as const;

const HAS_CACHED_SEQUENCE = Prisma.sql`
  EXISTS (SELECT FROM pg_sequence WHERE seqrelid = pg_get_serial_sequence('events', 'id')::regclass AND seqcache > 1)`;

/** Whether sessions take several ids from the sequence of the log at once. */
export async function hasCachedSequence(read: Read): Promise<boolean> {
  const [row] = await read<{ isCached: boolean }>(Prisma.sql`SELECT ${HAS_CACHED_SEQUENCE} AS "isCached"`);
  return row?.isCached === true;
}

/** The highest id of the log, 0 for an empty log, and the state of the log at that moment. */
export interface LogEnd extends LogState {
  readonly highestId: number;
}

export async function readLogEnd(read: Read, { columns, late }: EpochSource): Promise<LogEnd> {
  const [end] = await read<LogEnd>(
    Prisma.sql`SELECT ${columns}, coalesce(max(id), 0)::int AS "highestId", ${late} AS late FROM events`,
  );
  if (!end) throw new Error('A query that returns one row returned none.');
  return end;
}

export function createWatermarkStore(read: Read, epochs: EpochSource) {
  return {
    readEnd: (): Promise<LogEnd> => readLogEnd(read, epochs),

    /** Publishes a candidate for the watermark. The functions of the database call the candidate a settled id. */
    async publishCandidate(upTo: number): Promise<LogState | undefined> {
      return (await read<LogState>(epochs.publish(upTo)))[0];
    },

    /**
     * Returns the open transactions that may have written to the log, including writers of a single partition. A standby cannot
     * list them, and if the sequence has a cache, some writers are unknown. In both cases, the list always has an entry for them.
     */
    async findWriters(): Promise<string[]> {
      const rows = await read<{ writer: string }>(Prisma.sql`
        SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
        WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
          AND (relation = 'events'::regclass OR relation IN (SELECT relid FROM pg_partition_tree('events')))
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        UNION ALL SELECT ${STANDBY}::text WHERE pg_is_in_recovery()
        UNION ALL SELECT ${CACHED_SEQUENCE}::text WHERE ${HAS_CACHED_SEQUENCE}`);
      return rows.map(({ writer }) => writer);
    },
  };
}
