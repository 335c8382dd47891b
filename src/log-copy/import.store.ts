import { codeOf } from '../database/error-causes.js';
import type { Database, Transaction } from '../database/open.js';
import { EVENT_FIELDS, type EventRow } from '../events/event.js';
import { EVENT_COLUMN_NAMES, EVENT_COLUMNS, selectList } from '../events/event-columns.store.js';
import { Prisma } from '../generated/prisma/client.js';

export type ImportStore = ReturnType<typeof createImportStore>;
export type ImportTransaction = ReturnType<typeof createTransaction>;

/** Writes events with their original ids and times, all in one transaction. import-events.ts finds conflicts with the log. */
export function createImportStore(database: Pick<Database, 'read' | 'transaction'>) {
  return {
    /** Finds the URL of the Unleash server that this database mirrors; null if the log is not a copy. */
    findMirrorSource: async (): Promise<string | null> =>
      (await database.read<{ source: string }>({ text: 'SELECT source FROM gateway_mirror', values: [] }))[0]?.source ?? null,

    isLogEmpty: async (): Promise<boolean> =>
      (await database.read({ text: 'SELECT FROM events LIMIT 1', values: [] })).length === 0,

    inTransaction: <T>(work: (transaction: ImportTransaction) => Promise<T>): Promise<T> =>
      database.transaction((transaction) => work(createTransaction(transaction))),
  };
}

/**
 * The most steps of `nextval`. `setval` closes a larger gap. This never sets the sequence back, because other sessions take far
 * fewer ids while `setval` runs.
 */
const MAX_SEQUENCE_STEPS = 10_000;

/** Matches the SQLSTATEs of invalid data, a violated constraint, and a value over a limit of PostgreSQL. */
const DATA_SQLSTATE = /^(22|23|54)/;

const isJson = (type: string) => type.startsWith('json');
const COLUMNS = EVENT_FIELDS.map((field) => ({ field, ...EVENT_COLUMNS[field] }));
const TARGET = `events (${EVENT_COLUMN_NAMES.join(', ')})`;
const LINE = COLUMNS.map(({ field, type }) => `"${field}" ${isJson(type) ? 'text' : type}`).join(', ');
const VALUES = COLUMNS.map(({ field, type }) => `"${field}"${isJson(type) ? `::${type}` : ''}`).join(', ');

function createTransaction({ query, copy }: Transaction) {
  return {
    /** Adds events by COPY, the fastest way. Fails if the log has one of the ids already. */
    addNew: (lines: readonly EventRow[]): Promise<void> => copy(TARGET, lines.map(toCopyLine).join('')),

    /** Adds events, except those with an id that the log has already. @returns how many were added */
    async add(lines: readonly EventRow[]): Promise<number> {
      const added = await query(Prisma.sql`
        INSERT INTO ${Prisma.raw(TARGET)}
        SELECT ${Prisma.raw(VALUES)}
        FROM json_to_recordset(${JSON.stringify(lines)}::text::json) AS line(${Prisma.raw(LINE)})
        ON CONFLICT (id) DO NOTHING RETURNING id`);
      return added.length;
    },

    /** Reads the events with these ids. Their times have milliseconds, as on the wire. */
    async findEvents(ids: readonly number[]): Promise<Map<number, EventRow>> {
      const rows = await query<EventRow>(Prisma.sql`
        SELECT ${Prisma.raw(selectList('MS'))} FROM events WHERE id = ANY(${ids}::int[])`);
      return new Map(rows.map((row) => [row.id, row]));
    },

    /**
     * Runs `write`, and undoes it if the database rejects the data; the transaction goes on. Throws any other error.
     * @returns the database's error message, or null
     */
    async attempt(write: () => Promise<unknown>): Promise<string | null> {
      await query(Prisma.sql`SAVEPOINT attempt`);
      try {
        await write();
        await query(Prisma.sql`RELEASE SAVEPOINT attempt`);
        return null;
      } catch (error) {
        if (!DATA_SQLSTATE.test(codeOf(error))) throw error;
        await query(Prisma.sql`ROLLBACK TO SAVEPOINT attempt`);
        return (error as Error).message;
      }
    },

    /**
     * Moves the id sequence past the highest id in the log. Takes no lock, so other sessions may take ids meanwhile. If the
     * sequence is at most `MAX_SEQUENCE_STEPS` behind, `nextval` advances it step by step. Otherwise, `setval` sets it.
     */
    async moveSequence(): Promise<void> {
      await query(Prisma.sql`
        SELECT CASE
          WHEN steps > ${MAX_SEQUENCE_STEPS}::int THEN setval('events_id_seq', highest)
          ELSE (SELECT max(nextval('events_id_seq')) FROM generate_series(1, steps))
        END
        FROM (
          SELECT highest, highest - last_value + CASE WHEN is_called THEN 0 ELSE 1 END AS steps
          FROM events_id_seq, (SELECT max(id) AS highest FROM events) AS log
        ) AS way
        WHERE steps > 0`);
    },
  };
}

/** Formats a row in the text format of COPY. */
function toCopyLine(line: EventRow): string {
  return `${EVENT_FIELDS.map((field) => toCopyValue(line[field])).join('\t')}\n`;
}

const COPY_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function toCopyValue(value: string | number | null): string {
  if (value === null) return '\\N';
  return typeof value === 'number'
    ? String(value)
    : value.replaceAll(/[\\\t\n\r]/g, (character) => COPY_ESCAPES[character] ?? '');
}
