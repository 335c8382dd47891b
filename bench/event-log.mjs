import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { withClient } from './postgres.mjs';

/** Each flag gets about as many events as a busy flag in practice. */
const EVENTS_PER_FLAG = 500;

/** `data` contains this text in one event of fifty. */
export const FREQUENT_TEXT = 'gradualRollout';

/** This flag has one event of ten. */
export const BUSY_FLAG = 'busy-flag';

/**
 * Generates the same log each time: values that look random are hashes of the event's number. Two events in a row have the same
 * flag, and three in a row have the same time, so the order of equal times matters. `data` has 300 to 800 bytes. Two of three
 * events have `preData`.
 */
const GENERATE = `
  INSERT INTO events (created_at, type, created_by, created_by_user_id, environment, project, feature_name, data, pre_data, tags)
  SELECT
    timestamptz '2025-01-01 00:00:00Z' + (n / 3) * interval '97.123 seconds',
    (ARRAY['feature-created', 'feature-updated', 'feature-metadata-updated', 'feature-strategy-add', 'feature-strategy-update',
      'feature-strategy-remove', 'feature-environment-enabled', 'feature-environment-disabled', 'feature-variants-updated',
      'feature-tagged', 'feature-stale-on', 'feature-archived'])[1 + pg_temp.pick(n, 1, 12)],
    'user-' || pg_temp.pick(n, 2, 40) || '@example.com',
    1 + pg_temp.pick(n, 2, 40),
    (ARRAY['development', 'staging', 'production', NULL])[1 + pg_temp.pick(n, 3, 4)],
    'project-' || pg_temp.pick(n / 2, 4, $2::int) % 20,
    CASE WHEN n % 10 = 9 THEN '${BUSY_FLAG}' ELSE 'flag-' || pg_temp.pick(n / 2, 4, $2::int) END,
    pg_temp.payload(n, 5),
    CASE WHEN n % 3 > 0 THEN pg_temp.payload(n, 6)::jsonb END,
    (ARRAY['[]', '[{"type":"simple","value":"checkout"}]', '[{"type":"simple","value":"billing"},{"type":"team","value":"payments"}]'])
      [1 + pg_temp.pick(n, 7, 3)]::json
  FROM generate_series($1::int, $3::int) AS n`;

/** Number of generated events. A longer log repeats them with other times and ids. */
const GENERATED = 1_000_000;

const REPEAT = `
  INSERT INTO events (created_at, type, created_by, created_by_user_id, environment, project, feature_name, data, pre_data, tags)
  SELECT created_at + $3::int * interval '97.123 seconds', type, created_by, created_by_user_id, environment, project, feature_name, data, pre_data, tags
  FROM events WHERE id BETWEEN $1::int AND $2::int ORDER BY id`;

/** Number of events per statement. PostgreSQL holds the rows of a statement for the triggers until its end. */
const GENERATED_AT_ONCE = 250_000;

const FUNCTIONS = `
  CREATE FUNCTION pg_temp.pick(n int, salt int, choices int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
    SELECT ((hashint4extended(n, salt) & 9007199254740991) % choices)::int $$;
  CREATE FUNCTION pg_temp.payload(n int, salt int) RETURNS json LANGUAGE sql IMMUTABLE AS $$
    SELECT json_build_object(
      'name', CASE WHEN n % 50 = 0 THEN '${FREQUENT_TEXT}' ELSE 'flexibleRollout' END, 'title', 'Rollout ' || n, 'disabled', n % 2 = 0, 'sortOrder', pg_temp.pick(n, salt, 9),
      'parameters', json_build_object('rollout', pg_temp.pick(n, salt, 100)::text, 'stickiness', 'default', 'groupId', 'group-' || n),
      'constraints', json_build_array(json_build_object(
        'contextName', 'userId', 'operator', 'IN', 'inverted', false, 'caseInsensitive', false,
        'values', (SELECT json_agg(md5(n::text || salt || k)) FROM generate_series(0, pg_temp.pick(n, salt + 1, 13)) AS k)))) $$`;

/**
 * Fills an empty event log.
 * @param {string} url
 * @param {number} events
 * @returns {Promise<string>} the flag to request, which has the median number of events
 */
export function fillEventLog(url, events) {
  return withClient(url, async (client) => {
    // Updating these indexes while rows are added would take most of the time.
    await client.query('DROP INDEX IF EXISTS events_data_trigram_idx, events_pre_data_trigram_idx, events_tags_trigram_idx');
    await client.query(FUNCTIONS);
    for (let first = 1; first <= events; first += GENERATED_AT_ONCE) {
      const last = Math.min(events, first + GENERATED_AT_ONCE - 1);
      const repeated = Math.floor((first - 1) / GENERATED) * GENERATED;
      await (repeated === 0
        ? client.query(GENERATE, [first, Math.ceil(Math.min(events, GENERATED) / EVENTS_PER_FLAG), last])
        : client.query(REPEAT, [first - repeated, last - repeated, Math.ceil(repeated / 3)]));
    }
    await client.query('VACUUM ANALYZE events');
    const flags = await client.query('SELECT feature_name AS name FROM events GROUP BY 1 ORDER BY count(*), 1');
    return flags.rows[Math.floor(flags.rows.length / 2)].name;
  });
}

/** Flags for the measurement of pages, by the size of their events: many ordinary flags, and some with more than a page of 1,000 events. */
const PAGE_FLAGS = [
  { name: 'light', flags: 200, eventsPerFlag: 450, isLight: true },
  { name: 'long-light', flags: 20, eventsPerFlag: 1_500, isLight: true },
  { name: 'long-heavy', flags: 20, eventsPerFlag: 1_500, isLight: false },
];
const HEAVY_FLAGS = 180;

/** Spreads the events of some flags over the time of the log. A light event has a short `data` and no `preData`. */
const ADD_FLAGS = `
  INSERT INTO events (created_at, type, created_by, created_by_user_id, environment, project, feature_name, data, pre_data, tags)
  SELECT
    timestamptz '2025-01-01 00:00:00Z' + (n / 3) * $4::float8 * interval '1 millisecond',
    (ARRAY['feature-created', 'feature-updated', 'feature-environment-enabled', 'feature-tagged'])[1 + pg_temp.pick(n, 1, 4)],
    'user-' || pg_temp.pick(n, 2, 40) || '@example.com', 1 + pg_temp.pick(n, 2, 40),
    (ARRAY['development', 'staging', 'production', NULL])[1 + pg_temp.pick(n, 3, 4)], 'project-' || n % $2::int % 20, $1 || '-' || n % $2::int,
    CASE WHEN $5 THEN json_build_object('name', 'flexibleRollout', 'title', 'Rollout ' || n, 'disabled', n % 2 = 0, 'sortOrder', pg_temp.pick(n, 5, 9),
      'inverted', false, 'caseInsensitive', false, 'parameters', json_build_object('rollout', pg_temp.pick(n, 5, 100)::text, 'stickiness', 'default', 'groupId', 'group-' || n))
      ELSE pg_temp.payload(n, 5) END,
    CASE WHEN NOT $5 AND n % 3 > 0 THEN pg_temp.payload(n, 6)::jsonb END,
    (ARRAY['[]', '[{"type":"simple","value":"checkout"}]'])[1 + pg_temp.pick(n, 7, 2)]::json
  FROM generate_series(1, $2::int * $3::int) AS n`;

/** @typedef {{light: string[], heavy: string[], longLight: string[], longHeavy: string[]}} PageFlags names of flags. Long ones have more than 1,000 events. */

/**
 * Adds the flags for the measurement of pages to a log.
 * @param {string} url
 * @param {number} events number of events in the log
 * @returns {Promise<{flags: PageFlags, added: number}>} added: number of events
 */
export function addPageFlags(url, events) {
  return withClient(url, async (client) => {
    await client.query(FUNCTIONS);
    let added = 0;
    for (const { name, flags, eventsPerFlag, isLight } of PAGE_FLAGS) {
      const total = flags * eventsPerFlag;
      // The events spread over the time of the log, which has three events every 97.123 s.
      const stepMs = Math.floor((Math.min(events, GENERATED) * 97_123) / total);
      await client.query(ADD_FLAGS, [name, flags, eventsPerFlag, stepMs, isLight]);
      added += total;
    }
    await client.query('VACUUM ANALYZE events');
    const named = (/** @type {string} */ name) =>
      Array.from({ length: PAGE_FLAGS.find((flag) => flag.name === name)?.flags ?? 0 }, (_, n) => `${name}-${n}`);
    const { rows } = await client.query(MEDIAN_FLAGS, [HEAVY_FLAGS]);
    const heavy = rows.map(({ name }) => name);
    return { flags: { light: named('light'), heavy, longLight: named('long-light'), longHeavy: named('long-heavy') }, added };
  });
}

/** Selects the flags of the generated log with numbers of events close to the median. */
const MEDIAN_FLAGS = `
  WITH flags AS (SELECT feature_name AS name, count(*) AS events FROM events WHERE feature_name LIKE 'flag-%' GROUP BY 1)
  SELECT name FROM flags
  ORDER BY abs(events - (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY events) FROM flags)), name LIMIT $1`;

const EXPORT_BLOCK = 5000;

const EXPORT = `
  SELECT json_build_object('id', id, 'createdAt', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'type', type,
    'createdBy', created_by, 'createdByUserId', created_by_user_id, 'environment', environment, 'project', project,
    'featureName', feature_name, 'data', data, 'preData', pre_data, 'tags', tags)::text AS line
  FROM events WHERE id > $1 AND id <= $2 ORDER BY id`;

/**
 * Writes the log in the format of `import`: one event in wire form per line.
 * @param {string} url
 * @param {string} file
 */
export function exportEventLog(url, file) {
  return withClient(url, async (client) => {
    const output = createWriteStream(file);
    const { highest } = (await client.query('SELECT max(id) AS highest FROM events')).rows[0];
    for (let id = 0; id < highest; id += EXPORT_BLOCK) {
      const { rows } = await client.query(EXPORT, [id, id + EXPORT_BLOCK]);
      output.write(rows.map(({ line }) => `${line}\n`).join(''));
    }
    output.end();
    await once(output, 'finish');
    return output.bytesWritten;
  });
}
