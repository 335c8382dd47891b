import type { Database } from '../open.js';
import type { Read } from '../read.js';
import { buildCancelably } from './cancelable-build.js';
import { createSizeEstimate } from './estimate-size.js';
import { BUILD_MEMORY, EVENT_INDEXES, readIndexes, VACUUM } from './event-indexes.js';

/** The extension that provides trigram indexes. Each database has to create it before use. */
const EXTENSION = 'pg_trgm';

/** The comment on an extension that `buildAdvised` created, so that `dropAdvised` drops the extension too. */
const EXTENSION_COMMENT = 'made for the indexes of flag-admin-gateway';

/** The advisory lock that lets only one process build or drop indexes in an Unleash database. */
const BUILD_LOCK = 42_427_304;

export interface MissingIndex {
  readonly name: string;
  readonly serves: string;
  readonly sql: string;
  readonly estimatedBytes: number;
}

export interface IndexAdvice {
  /** Statements to run before the indexes are built. */
  readonly first: readonly string[];
  readonly missing: readonly MissingIndex[];
  /** The number of indexes that exist already. */
  readonly present: number;
}

/** Finds the indexes that an Unleash database lacks, and estimates their sizes. Reads only. */
export async function adviseIndexes(read: Read): Promise<IndexAdvice> {
  // An index with the same definition counts as present under any name.
  const present = new Set((await readIndexes(read)).filter(({ valid }) => valid).map(({ definition }) => definition));
  const absent = EVENT_INDEXES.filter(({ definition }) => !present.has(definition));
  const bytesOf = await createSizeEstimate(read);
  const missing = absent.map((index) => ({
    name: index.unleashName,
    serves: index.serves,
    sql: `CREATE INDEX CONCURRENTLY ${index.unleashName} ON events USING ${index.definition}`,
    estimatedBytes: bytesOf(index),
  }));
  const needsExtension = absent.some(({ definition }) => definition.startsWith('gin')) && !(await hasExtension(read));
  const first = needsExtension ? [`CREATE EXTENSION ${EXTENSION}`] : [];
  return { first, missing, present: EVENT_INDEXES.length - absent.length };
}

export interface BuildOptions {
  /** Cancels the build once aborted. Otherwise, PostgreSQL would go on building after this process has ended. */
  readonly signal: AbortSignal;
  /** Called with each index, before it is built and afterwards. */
  readonly onIndex: (index: MissingIndex, isBuilt: boolean) => void;
}

/**
 * Builds the missing indexes, one after the other, while Unleash reads and writes. Can be stopped at any moment and run again.
 * @returns whether the build ran; false while another process holds the lock
 * @throws an error of PostgreSQL (`isCanceled`) or an AbortError once `signal` is aborted
 */
export function buildAdvised(database: Database, { signal, onIndex }: BuildOptions): Promise<boolean> {
  return buildCancelably(database, BUILD_LOCK, signal, async (execute) => {
    await execute(`SET maintenance_work_mem = '${BUILD_MEMORY}'`);
    const { first, missing } = await adviseIndexes(database.read);
    for (const statement of first) {
      await execute(statement);
      await execute(`COMMENT ON EXTENSION ${EXTENSION} IS '${EXTENSION_COMMENT}'`);
    }
    for (const index of missing) {
      onIndex(index, false);
      // A build that was stopped leaves an invalid index, which serves no query but still costs writes.
      await execute(`DROP INDEX CONCURRENTLY IF EXISTS ${index.name}`);
      await execute(index.sql);
      onIndex(index, true);
    }
    if (missing.length > 0 || !(await isVacuumed(database.read))) await execute(VACUUM);
  });
}

/** Whether the table `events` was ever vacuumed. An earlier build may have been stopped before its VACUUM. */
async function isVacuumed(read: Read): Promise<boolean> {
  const rows = await read({
    text: `SELECT FROM pg_stat_user_tables WHERE relid = 'events'::regclass AND coalesce(last_vacuum, last_autovacuum) IS NOT NULL`,
    values: [],
  });
  return rows.length > 0;
}

/**
 * Drops what `buildAdvised` created, and nothing else.
 * @returns the names of what was dropped; null while another process holds the lock
 */
export async function dropAdvised(database: Database): Promise<string[] | null> {
  const dropped: string[] = [];
  const isDone = await database.withTryLock(BUILD_LOCK, async (execute) => {
    const names = new Set(EVENT_INDEXES.map(({ unleashName }) => unleashName));
    for (const { name } of await readIndexes(database.read)) {
      if (!names.has(name)) continue;
      await execute(`DROP INDEX CONCURRENTLY ${name}`);
      dropped.push(name);
    }
    if (await isExtensionOurs(database.read)) {
      // With RESTRICT, the statement fails if other objects use the extension by now. The extension then stays.
      await execute(`DROP EXTENSION ${EXTENSION} RESTRICT`).then(
        () => dropped.push(`extension ${EXTENSION}`),
        () => undefined,
      );
    }
  });
  return isDone ? dropped : null;
}

/** Reads the progress of the running build's current phase, from 0 to 1; null if PostgreSQL reports none. */
export async function readBuildProgress(read: Read): Promise<number | null> {
  const [row] = await read<{ done: number | null }>({
    text: `
      SELECT (CASE WHEN tuples_total > 0 THEN tuples_done::float8 / tuples_total ELSE blocks_done::float8 / nullif(blocks_total, 0) END) AS done
      FROM pg_stat_progress_create_index WHERE relid = 'events'::regclass`,
    values: [],
  });
  return row?.done ?? null;
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
