import type { Database } from '../open.js';
import type { Read } from '../read.js';

/** An index that makes a query of the gateway fast, on the `events` of a server that lacks it. */
interface AdvisedIndex {
  readonly name: string;
  /** As PostgreSQL prints it after USING: by that it is known under another name. */
  readonly definition: string;
  readonly serves: string;
  /** The column that costs the space, or null for times and ids alone. */
  readonly column: string | null;
}

const sorted = (column: string, serves: string): AdvisedIndex => ({
  name: `gateway_events_${column}_created_at`,
  definition: `btree (${column}, created_at DESC, id DESC)`,
  serves,
  column,
});
const trigrams = (column: string, serves: string): AdvisedIndex => ({
  name: `gateway_events_${column}_trigrams`,
  definition: `gin (((${column})::text) gin_trgm_ops)`,
  serves,
  column,
});

/** The same indexes as in the gateway's own migrations, for the same reasons. */
const ADVISED: readonly AdvisedIndex[] = [
  {
    name: 'gateway_events_created_at',
    definition: 'btree (created_at DESC, id DESC)',
    serves: 'pages of the whole log, newest first, and ranges of days',
    column: null,
  },
  sorted('feature_name', 'the events of one flag'),
  sorted('project', 'the events of one project'),
  sorted('type', 'the events of one type, and of types that are not listed'),
  sorted('created_by_user_id', 'what one user did'),
  sorted('environment', 'the events of one environment'),
  trigrams('data', 'free text in data, as query looks for it'),
  trigrams('pre_data', 'free text in preData'),
  trigrams('tags', 'free text in tags'),
];

/** In which the trigram indexes are; not there before PostgreSQL is told. */
const EXTENSION = 'pg_trgm';

/** How an extension that was made for these indexes is known when they are dropped. */
const EXTENSION_COMMENT = 'made for the indexes of flag-admin-gateway';

/** Those of which one is built at a time. */
const BUILD_LOCK = 42_427_304;

/** Four times PostgreSQL's default. */
const BUILD_MEMORY = '256MB';

export interface MissingIndex {
  readonly name: string;
  readonly serves: string;
  readonly sql: string;
  readonly estimatedBytes: number;
}

export interface IndexAdvice {
  /** Statements that have to come before the indexes. */
  readonly first: readonly string[];
  readonly missing: readonly MissingIndex[];
  readonly present: number;
}

/** What the database of a server lacks, and what it would take. Reads only. */
export async function adviseIndexes(read: Read): Promise<IndexAdvice> {
  const known = new Set((await readIndexes(read)).filter(({ valid }) => valid).map(({ definition }) => definition));
  const absent = ADVISED.filter(({ definition }) => !known.has(definition));
  const bytesOf = await createEstimate(read);
  const missing = absent.map((index) => ({
    name: index.name,
    serves: index.serves,
    sql: `CREATE INDEX CONCURRENTLY ${index.name} ON events USING ${index.definition}`,
    estimatedBytes: bytesOf(index),
  }));
  const needsExtension = absent.some(({ definition }) => definition.startsWith('gin')) && !(await hasExtension(read));
  return { first: needsExtension ? [`CREATE EXTENSION ${EXTENSION}`] : [], missing, present: ADVISED.length - absent.length };
}

/**
 * Builds what is missing, one after the other, while that server reads and writes. Stopped at any moment, the next run goes on.
 * @param tell is called with each index before it is built, and once it is
 * @returns whether it was done; false while another process is at it
 */
export function buildAdvised(database: Database, tell: (index: MissingIndex, isBuilt: boolean) => void): Promise<boolean> {
  return database.withTryLock(BUILD_LOCK, async (execute) => {
    await execute(`SET statement_timeout = 0; SET maintenance_work_mem = '${BUILD_MEMORY}'`);
    const { first, missing } = await adviseIndexes(database.read);
    for (const statement of first) {
      await execute(statement);
      await execute(`COMMENT ON EXTENSION ${EXTENSION} IS '${EXTENSION_COMMENT}'`);
    }
    for (const index of missing) {
      tell(index, false);
      // What a build that was stopped has left is of no use, and is written to all the same.
      await execute(`DROP INDEX CONCURRENTLY IF EXISTS ${index.name}`);
      await execute(index.sql);
      tell(index, true);
    }
    // Only then does PostgreSQL know what is frequent, and count from an index alone.
    if (missing.length > 0) await execute('VACUUM (ANALYZE) events');
  });
}

/**
 * Takes away what `buildAdvised` made, and nothing else.
 * @returns the names of what was dropped; null while another process is at it
 */
export async function dropAdvised(database: Database): Promise<string[] | null> {
  const dropped: string[] = [];
  const isDone = await database.withTryLock(BUILD_LOCK, async (execute) => {
    const names = new Set(ADVISED.map(({ name }) => name));
    for (const { name } of await readIndexes(database.read)) {
      if (!names.has(name)) continue;
      await execute(`DROP INDEX CONCURRENTLY ${name}`);
      dropped.push(name);
    }
    if (await isExtensionOurs(database.read)) {
      // What else has come to need it keeps it.
      await execute(`DROP EXTENSION ${EXTENSION} RESTRICT`).then(
        () => dropped.push(`extension ${EXTENSION}`),
        () => undefined,
      );
    }
  });
  return isDone ? dropped : null;
}

/** Ends the statement of whoever builds now. */
export async function cancelBuild(read: Read): Promise<void> {
  await read({
    text: `SELECT pg_cancel_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1::oid AND granted`,
    values: [BUILD_LOCK],
  });
}

/** How far the build that is running now has come, from 0 to 1; null if there is none, or it does not tell. */
export async function readBuildProgress(read: Read): Promise<number | null> {
  const [row] = await read<{ done: number | null }>({
    text: `
      SELECT (CASE WHEN tuples_total > 0 THEN tuples_done::float8 / tuples_total ELSE blocks_done::float8 / nullif(blocks_total, 0) END) AS done
      FROM pg_stat_progress_create_index WHERE relid = 'events'::regclass`,
    values: [],
  });
  return row?.done ?? null;
}

interface ExistingIndex {
  readonly name: string;
  readonly definition: string;
  readonly valid: boolean;
}

function readIndexes(read: Read): Promise<ExistingIndex[]> {
  return read<ExistingIndex>({
    text: `
      SELECT relname AS name, indisvalid AS valid,
        regexp_replace(regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', ''), '\\w+\\.gin_trgm_ops', 'gin_trgm_ops') AS definition
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'events'::regclass`,
    values: [],
  });
}

async function hasExtension(read: Read): Promise<boolean> {
  return (await read({ text: 'SELECT FROM pg_extension WHERE extname = $1', values: [EXTENSION] })).length > 0;
}

async function isExtensionOurs(read: Read): Promise<boolean> {
  const rows = await read({
    text: `SELECT FROM pg_extension WHERE extname = $1 AND obj_description(oid, 'pg_extension') = $2`,
    values: [EXTENSION, EXTENSION_COMMENT],
  });
  return rows.length > 0;
}

/** What an entry of a B-tree takes besides the column: its pointer and header, a time and an id, at nine tenths of a page. */
const ENTRY_BYTES = 28;
const FILL = 0.9;

/** What a trigram index took of the text in it, in the benchmark's log of a million events. */
const TRIGRAM_SHARE = 1.3;

/** From the number of rows that PostgreSQL assumes, and the newest thousand. */
async function createEstimate(read: Read): Promise<(index: AdvisedIndex) => number> {
  const columns = ADVISED.flatMap(({ column }) => column ?? []);
  const averages = columns
    .map((column) => `coalesce(avg(coalesce(octet_length(${column}::text), 0)), 0)::float8 AS ${column}`)
    .join(', ');
  const [row = {}] = await read<Record<string, number>>({
    text: `
      SELECT (SELECT CASE WHEN reltuples >= 0 THEN reltuples ELSE (SELECT max(id) FROM events) END::float8 FROM pg_class WHERE oid = 'events'::regclass) AS rows, ${averages}
      FROM (SELECT ${columns.join(', ')} FROM events ORDER BY id DESC LIMIT 1000) AS newest`,
    values: [],
  });
  const rows = row['rows'] ?? 0;
  return ({ column, definition }) => {
    const width = column === null ? 0 : (row[column] ?? 0);
    const bytes = definition.startsWith('gin') ? width * TRIGRAM_SHARE : (ENTRY_BYTES + width) / FILL;
    return Math.round(rows * bytes);
  };
}
