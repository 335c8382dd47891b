import type { Database } from '../open.js';
import { BUILD_MEMORY, EVENT_INDEXES, type EventIndex, readIndexes, VACUUM } from './event-indexes.js';

/** Ensures that gateways that start together, and an import beside them, build each index once. */
const BUILD_LOCK = 42_427_303;

/**
 * Drops the indexes before a bulk load: maintaining them costs several times the load itself, and building them afterwards costs
 * less (docs/decisions/011-indexes-and-imports.md). Keeps those of a partitioned log, which cannot be built concurrently with
 * writes.
 */
export async function dropEventIndexes(database: Database): Promise<void> {
  if (await isPartitioned(database)) return;
  await database.withTryLock(BUILD_LOCK, async (execute) => {
    await execute(`DROP INDEX IF EXISTS ${EVENT_INDEXES.map(({ name }) => name).join(', ')}`);
  });
}

/** Builds missing and invalid indexes one by one. The log stays readable, and writable unless it is partitioned. Does nothing if another process builds. */
export async function buildEventIndexes(database: Database): Promise<void> {
  if ((await findMissing(database)).length === 0) return;
  await database.withTryLock(BUILD_LOCK, async (execute) => {
    if (database.kind === 'PostgreSQL') await execute(`SET maintenance_work_mem = '${BUILD_MEMORY}'`);
    const concurrently = database.kind === 'PostgreSQL' && !(await isPartitioned(database)) ? 'CONCURRENTLY' : '';
    for (const { name, definition } of await findMissing(database)) {
      await execute(`DROP INDEX IF EXISTS ${name}`);
      await execute(`CREATE INDEX ${concurrently} ${name} ON events USING ${definition}`);
    }
    await execute(VACUUM);
  });
}

async function isPartitioned({ read }: Database): Promise<boolean> {
  const rows = await read({ text: `SELECT FROM pg_partitioned_table WHERE partrelid = 'events'::regclass`, values: [] });
  return rows.length > 0;
}

async function findMissing({ read }: Database): Promise<EventIndex[]> {
  const valid = new Set((await readIndexes(read)).filter((index) => index.valid).map(({ name }) => name));
  return EVENT_INDEXES.filter(({ name }) => !valid.has(name));
}
