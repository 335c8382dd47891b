import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Execute } from '../open.js';
import { buildCancelably } from './cancelable-build.js';
import { BUILD_MEMORY, EVENT_INDEXES, type EventIndex, readIndexes, VACUUM } from './event-indexes.js';

/** The advisory lock of a build. With it, gateways that start together, and an import beside them, build each index once. */
const BUILD_LOCK = 42_427_303;

/** The time between two attempts to build while another process holds the lock. */
const RETRY_MS = 5_000;

/**
 * Drops the indexes before a bulk load: maintaining them costs several times the load itself, and building them afterwards costs
 * less (docs/decisions/011-indexes-and-imports.md). Keeps the indexes of a partitioned log, because building them would block
 * writes. Also keeps all indexes while another process builds or drops some.
 */
export async function dropEventIndexes(database: Database): Promise<void> {
  if (await isPartitioned(database)) return;
  await database.withTryLock(BUILD_LOCK, async (execute) => {
    await execute(`DROP INDEX IF EXISTS ${EVENT_INDEXES.map(({ name }) => name).join(', ')}`);
  });
}

/**
 * Builds missing and invalid indexes one by one. In PostgreSQL, the log stays readable meanwhile, and writable unless it is
 * partitioned. Waits while another process builds, because that process may be stopped before it has built all indexes.
 * @throws an error of PostgreSQL (`isCanceled`) or an AbortError once `signal` is aborted
 */
export async function buildEventIndexes(database: Database, signal = new AbortController().signal): Promise<void> {
  const build = async (execute: Execute) => {
    if (database.kind === 'PostgreSQL') await execute(`SET maintenance_work_mem = '${BUILD_MEMORY}'`);
    const concurrently = database.kind === 'PostgreSQL' && !(await isPartitioned(database)) ? 'CONCURRENTLY' : '';
    for (const { name, definition } of await findMissing(database)) {
      // Without CONCURRENTLY, DROP INDEX waits for every reader, and every later reader waits for the DROP INDEX.
      await execute(`DROP INDEX ${concurrently} IF EXISTS ${name}`);
      await execute(`CREATE INDEX ${concurrently} ${name} ON events USING ${definition}`);
    }
    await execute(VACUUM);
  };
  while ((await findMissing(database)).length > 0) {
    if (await buildCancelably(database, BUILD_LOCK, signal, build)) return;
    await wait(RETRY_MS, undefined, { signal });
  }
}

async function isPartitioned({ read }: Database): Promise<boolean> {
  const rows = await read({ text: `SELECT FROM pg_partitioned_table WHERE partrelid = 'events'::regclass`, values: [] });
  return rows.length > 0;
}

async function findMissing({ read }: Database): Promise<EventIndex[]> {
  // An index with the same definition counts as present under any name.
  const valid = new Set((await readIndexes(read)).filter((index) => index.valid).map(({ definition }) => definition));
  return EVENT_INDEXES.filter(({ definition }) => !valid.has(definition));
}
