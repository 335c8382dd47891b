import type { Read } from '../database/read.js';
import { Prisma } from '../generated/prisma/client.js';
import type { Epoch, EpochSource } from './epoch.store.js';

/** Stands for the writers of the primary, which a standby cannot list. */
export const STANDBY = 'standby';

/** The queries of the watermark. */
export function createWatermarkStore(read: Read, epochs: EpochSource) {
  return {
    /** Returns 0 for an empty log. */
    async findHighestId(): Promise<number> {
      const [row] = await read<{ id: number }>(Prisma.sql`SELECT coalesce(max(id), 0) AS id FROM events`);
      return row?.id ?? 0;
    },

    /** Publishes a candidate for the watermark, which the database calls a settled id. Returns the epoch. */
    async publishCandidate(upTo: number): Promise<Epoch | undefined> {
      return (await read<Epoch>(epochs.publish(upTo)))[0];
    },

    /** Returns the open transactions that have written to the log, or may. A standby cannot list them and returns one that never ends. */
    async findWriters(): Promise<string[]> {
      const rows = await read<{ writer: string }>(Prisma.sql`
        SELECT virtualtransaction AS writer FROM pg_locks
        WHERE locktype = 'relation' AND relation = 'events'::regclass AND mode = 'RowExclusiveLock'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        UNION ALL SELECT ${STANDBY}::text WHERE pg_is_in_recovery()`);
      return rows.map(({ writer }) => writer);
    },
  };
}
