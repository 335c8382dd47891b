import type { PrismaClient } from '../generated/prisma/client.js';
import type { EventLine } from './event-line.js';

export type EventImportStore = ReturnType<typeof createEventImportStore>;
export type EventImportTransaction = Parameters<Parameters<EventImportStore['inTransaction']>[0]>[0];

/** The longest time an import may take. Prisma wants one; the default of five seconds is for requests. */
const IMPORT_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** Writing events that have their ids and times already, all in one transaction. */
export function createEventImportStore(prisma: PrismaClient) {
  return {
    inTransaction: <T>(work: (transaction: ReturnType<typeof createTransaction>) => Promise<T>): Promise<T> =>
      prisma.$transaction((tx) => work(createTransaction(tx)), { timeout: IMPORT_TIMEOUT_MS }),
  };
}

type PrismaTransaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];

function createTransaction(tx: PrismaTransaction) {
  return {
    /** Adds those that are not there yet. @returns how many were added */
    add: (lines: readonly EventLine[]): Promise<number> => tx.$executeRaw`
      INSERT INTO events (id, created_at, type, created_by, created_by_user_id, environment, project, feature_name, data, pre_data, tags)
      SELECT id, "createdAt", type, "createdBy", "createdByUserId", environment, project, "featureName",
             data::json, "preData"::jsonb, tags::json
      FROM json_to_recordset(${JSON.stringify(lines)}::text::json) AS line(
        id int, "createdAt" timestamptz, type text, "createdBy" text, "createdByUserId" int, environment text, project text,
        "featureName" text, data text, "preData" text, tags text)
      ON CONFLICT (id) DO NOTHING`,

    /** The events of these ids as lines. Times are to the millisecond, as on the wire. */
    async findLines(ids: readonly number[]): Promise<Map<number, EventLine>> {
      const rows = await tx.$queryRaw<(Omit<EventLine, 'createdAt'> & { createdAt: Date })[]>`
        SELECT id, created_at AS "createdAt", type, created_by AS "createdBy", created_by_user_id AS "createdByUserId", environment, project,
               feature_name AS "featureName", data::text, pre_data::text AS "preData", tags::text
        FROM events WHERE id = ANY(${ids}::int[])`;
      return new Map(rows.map((row) => [row.id, { ...row, createdAt: row.createdAt.toISOString() }]));
    },

    /** Runs `write`; if it fails, the transaction goes on as if it had not begun. @returns the database's words, or null */
    async attempt(write: () => Promise<unknown>): Promise<string | null> {
      await tx.$executeRaw`SAVEPOINT attempt`;
      try {
        await write();
        await tx.$executeRaw`RELEASE SAVEPOINT attempt`;
        return null;
      } catch (error) {
        await tx.$executeRaw`ROLLBACK TO SAVEPOINT attempt`;
        return messageOf(error);
      }
    },

    /** Moves the id sequence past every id. The lock keeps others from taking an id between the reading and the setting. */
    async moveSequence(): Promise<void> {
      await tx.$executeRaw`LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE`;
      await tx.$queryRaw`
        SELECT setval('events_id_seq', highest.id)
        FROM (SELECT max(id) AS id FROM events) AS highest, events_id_seq
        WHERE highest.id >= events_id_seq.last_value`;
    },
  };
}

/** PostgreSQL's own sentence, where there is one, without the query around it. */
function messageOf(error: unknown): string {
  const { meta, message } = error as {
    meta?: { driverAdapterError?: { cause?: { originalMessage?: string } } };
    message: string;
  };
  return meta?.driverAdapterError?.cause?.originalMessage ?? message;
}
