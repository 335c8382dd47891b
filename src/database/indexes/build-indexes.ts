import type { Database } from '../open.js';

/**
 * The indexes of the log but its primary key, as the migrations make them. Keeping them while many rows are added costs several times the
 * adding itself; building them afterwards costs less, and the log can be read meanwhile. First those for pages, which are built in seconds.
 */
const EVENT_INDEXES = {
  events_created_at_id_idx: 'events (created_at DESC, id DESC)',
  events_feature_name_created_at_id_idx: 'events (feature_name, created_at DESC, id DESC)',
  events_project_created_at_id_idx: 'events (project, created_at DESC, id DESC)',
  events_type_created_at_id_idx: 'events (type, created_at DESC, id DESC)',
  events_created_by_user_id_created_at_id_idx: 'events (created_by_user_id, created_at DESC, id DESC)',
  events_environment_created_at_id_idx: 'events (environment, created_at DESC, id DESC)',
  events_data_trigram_idx: 'events USING gin ((data::text) gin_trgm_ops)',
  events_pre_data_trigram_idx: 'events USING gin ((pre_data::text) gin_trgm_ops)',
  events_tags_trigram_idx: 'events USING gin ((tags::text) gin_trgm_ops)',
} as const;

/** Four times PostgreSQL's default: the build is the only one at its time. */
const BUILD_MEMORY = '256MB';

type EventIndex = keyof typeof EVENT_INDEXES;

/** Gateways that start at once, and an import beside them, build each index once. */
const BUILD_LOCK = 42_427_303;

type Execute = (sql: string) => Promise<unknown>;

/** Takes them away until `buildEventIndexes`; not those of a log in partitions, which could not be built while it is written. */
export async function dropEventIndexes(database: Database): Promise<void> {
  if (await isPartitioned(database)) return;
  await database.withTryLock(BUILD_LOCK, async (execute) => {
    await execute(`DROP INDEX IF EXISTS ${Object.keys(EVENT_INDEXES).join(', ')}`);
  });
}

/**
 * Builds those that are missing or were left half built, one after the other, while the log is read and written. Does nothing while another
 * process is at it.
 */
export async function buildEventIndexes(database: Database): Promise<void> {
  if ((await findMissing(database)).length === 0) return;
  await database.withTryLock(BUILD_LOCK, async (execute) => {
    if (database.kind === 'PostgreSQL') await execute(`SET maintenance_work_mem = '${BUILD_MEMORY}'`);
    const concurrently = database.kind === 'PostgreSQL' && !(await isPartitioned(database));
    for (const name of await findMissing(database)) await build(name, concurrently, execute);
    // Only then does PostgreSQL know what is frequent, and count from an index alone.
    await execute('VACUUM (ANALYZE) events');
  });
}

async function build(name: EventIndex, concurrently: boolean, execute: Execute): Promise<void> {
  await execute(`DROP INDEX IF EXISTS ${name}`);
  await execute(`CREATE INDEX ${concurrently ? 'CONCURRENTLY' : ''} ${name} ON ${EVENT_INDEXES[name]}`);
}

async function isPartitioned({ read }: Database): Promise<boolean> {
  const rows = await read({ text: `SELECT FROM pg_partitioned_table WHERE partrelid = 'events'::regclass`, values: [] });
  return rows.length > 0;
}

async function findMissing({ read }: Database): Promise<EventIndex[]> {
  const valid = await read<{ name: string }>({
    text: `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'events'::regclass AND indisvalid`,
    values: [],
  });
  return (Object.keys(EVENT_INDEXES) as EventIndex[]).filter((name) => !valid.some((index) => index.name === name));
}
