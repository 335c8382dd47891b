import type { Database } from './open.js';

/**
 * The indexes that free-text search reads, as the migration makes them. Keeping one while many rows are added costs several times the
 * adding itself; building it afterwards costs less, and the log can be read meanwhile.
 */
const TEXT_INDEXES = {
  events_data_trigram_idx: 'events USING gin ((data::text) gin_trgm_ops)',
  events_pre_data_trigram_idx: 'events USING gin ((pre_data::text) gin_trgm_ops)',
  events_tags_trigram_idx: 'events USING gin ((tags::text) gin_trgm_ops)',
} as const;

/** Four times PostgreSQL's default: the build is the only one at its time. */
const BUILD_MEMORY = '256MB';

type TextIndex = keyof typeof TEXT_INDEXES;

/** Gateways that start at once, and an import beside them, build each index once. */
const BUILD_LOCK = 42_427_303;

type Execute = (sql: string) => Promise<unknown>;

/** Takes them away until `buildTextIndexes`. */
export async function dropTextIndexes(database: Database): Promise<void> {
  await database.tryAlone(BUILD_LOCK, async (execute) => {
    await execute(`DROP INDEX IF EXISTS ${Object.keys(TEXT_INDEXES).join(', ')}`);
  });
}

/**
 * Builds those that are missing or were left half built, one after the other, while the log is read and written. Does nothing while another
 * process is at it.
 */
export async function buildTextIndexes(database: Database): Promise<void> {
  if ((await findMissing(database)).length === 0) return;
  await database.tryAlone(BUILD_LOCK, async (execute) => {
    if (database.kind === 'PostgreSQL') await execute(`SET maintenance_work_mem = '${BUILD_MEMORY}'`);
    for (const name of await findMissing(database)) await build(name, database.kind, execute);
    // Only then does PostgreSQL know what is frequent, and count from an index alone.
    await execute('VACUUM (ANALYZE) events');
  });
}

async function build(name: TextIndex, kind: Database['kind'], execute: Execute): Promise<void> {
  await execute(`DROP INDEX IF EXISTS ${name}`);
  await execute(`CREATE INDEX ${kind === 'PostgreSQL' ? 'CONCURRENTLY' : ''} ${name} ON ${TEXT_INDEXES[name]}`);
}

async function findMissing({ read }: Database): Promise<TextIndex[]> {
  const valid = await read<{ name: string }>({
    text: `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'events'::regclass AND indisvalid`,
    values: [],
  });
  return (Object.keys(TEXT_INDEXES) as TextIndex[]).filter((name) => !valid.some((index) => index.name === name));
}
