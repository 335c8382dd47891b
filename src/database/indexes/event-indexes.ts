import type { Read } from '../read.js';

/** An index of the table `events`. */
export interface EventIndex {
  /** The name in the gateway's own database. */
  readonly name: string;
  /** The name in an Unleash database, by which the gateway recognizes the indexes that it built there. */
  readonly unleashName: string;
  /** The definition as PostgreSQL prints it after USING. */
  readonly definition: string;
  readonly serves: string;
  /** The column that takes most of the space; null if the index has only times and ids. */
  readonly column: string | null;
}

const sorted = (column: string, serves: string): EventIndex => ({
  name: `events_${column}_created_at_id_idx`,
  unleashName: `gateway_events_${column}_created_at`,
  definition: `btree (${column}, created_at DESC, id DESC)`,
  serves,
  column,
});
const trigrams = (column: string, serves: string): EventIndex => ({
  name: `events_${column}_trigram_idx`,
  unleashName: `gateway_events_${column}_trigrams`,
  definition: `gin (((${column})::text) gin_trgm_ops)`,
  serves,
  column,
});

/**
 * All indexes of the event log except its primary key. A test checks that the migrations create the same ones. The B-tree indexes
 * come first, because each is built within seconds. A trigram index takes longer.
 */
export const EVENT_INDEXES: readonly EventIndex[] = [
  {
    name: 'events_created_at_id_idx',
    unleashName: 'gateway_events_created_at',
    definition: 'btree (created_at DESC, id DESC)',
    serves: 'pages of the whole log, newest first, and ranges of days',
    column: null,
  },
  sorted('feature_name', 'the events of one flag'),
  sorted('project', 'the events of one project'),
  sorted('type', 'the events of one type, and of types that are not listed'),
  sorted('created_by_user_id', 'the events that one user caused'),
  sorted('created_by', 'the events of one creator, by name'),
  sorted('environment', 'the events of one environment'),
  trigrams('data', 'free text in data, as the parameter query searches it'),
  trigrams('pre_data', 'free text in preData'),
  trigrams('tags', 'free text in tags'),
];

/**
 * Four times PostgreSQL's default for `maintenance_work_mem`. A lock allows one build at a time, so this memory is taken only
 * once.
 */
export const BUILD_MEMORY = '256MB';

/** Runs after a build: the planner needs statistics, and an index-only scan for a count needs the visibility map. */
export const VACUUM = 'VACUUM (ANALYZE) events';

/** Reads the indexes of `events`. An index is invalid while it is being built, and after a build that failed. */
export function readIndexes(read: Read): Promise<{ name: string; definition: string; valid: boolean }[]> {
  return read({
    text: `
      SELECT relname AS name, indisvalid AS valid,
        regexp_replace(regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', ''), '\\w+\\.gin_trgm_ops', 'gin_trgm_ops') AS definition
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'events'::regclass`,
    values: [],
  });
}
