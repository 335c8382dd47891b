/**
 * Requests to GET /v1/events/counts, each with SQL for the same counts. The ranges end with the log, so the gateway caches them.
 * @typedef {object} CountCase
 * @property {string} name
 * @property {Record<string, string>} parameters of the request
 * @property {string} [where] the filter in SQL
 * @property {string} [column] of the groups
 * @property {number} [days] the range begins this many days before the last event of the generated log
 * @property {boolean} [moves] whether the range begins a minute later each time
 */

/** @typedef {{time: number | null, key: string | null, count: number}} CountRow time: in milliseconds */

const ZONE = 'Europe/Berlin';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The default of the parameter `top`. */
const TOP = 10;

/** @type {CountCase[]} */
export const COUNT_CASES = [
  { name: 'all events', parameters: {} },
  { name: 'one project', parameters: { project: 'IS:project-3' }, where: "project = 'project-3'" },
  { name: 'all, by type', parameters: { by: 'TYPE' }, column: 'type' },
  { name: 'all, by flag', parameters: { by: 'FEATURE' }, column: 'feature_name' },
  {
    name: 'two types, by person',
    parameters: { type: 'IS_ANY_OF:feature-created,feature-archived', by: 'CREATED_BY' },
    where: "type IN ('feature-created', 'feature-archived')",
    column: 'created_by',
  },
  { name: 'a year, by day', parameters: { interval: 'DAY' }, days: 365 },
  { name: 'a year, by day and type', parameters: { interval: 'DAY', by: 'TYPE' }, column: 'type', days: 365 },
  {
    name: 'all, by week and environment',
    parameters: { interval: 'WEEK', by: 'ENVIRONMENT', timeZone: ZONE },
    column: 'environment',
  },
  { name: `two weeks, by hour in ${ZONE}`, parameters: { interval: 'HOUR', timeZone: ZONE }, days: 14 },
  {
    name: `a week that moves, by hour in ${ZONE} and project`,
    parameters: { interval: 'HOUR', timeZone: ZONE, by: 'PROJECT' },
    column: 'project',
    days: 7,
    moves: true,
  },
  {
    name: `one project, two weeks, by hour in ${ZONE}`,
    parameters: { project: 'IS:project-3', interval: 'HOUR', timeZone: ZONE },
    where: "project = 'project-3'",
    days: 14,
  },
];

/**
 * Returns the first instant of the range; null for the whole log.
 * @type {(one: CountCase, lastMs: number, turn: number) => number | null} lastMs: the time of the last generated event
 */
export const sinceOf = ({ days, moves }, lastMs, turn) =>
  days === undefined ? null : lastMs - days * DAY_MS + (moves ? turn * MINUTE_MS : 0);

/**
 * Returns the statement that counts the events of all groups, with ids above $1 and from the time $2 on.
 * @type {(one: CountCase) => string}
 */
export function toNaiveSql({ parameters: { interval, timeZone = 'UTC' }, where = 'true', column = 'NULL::text' }) {
  const time = interval
    ? `greatest(date_trunc('${interval.toLowerCase()}', created_at, '${timeZone}'), to_timestamp($2::float8 / 1000))`
    : 'NULL::timestamptz';
  return `
    SELECT round(extract(epoch FROM ${time}) * 1000)::float8 AS time, ${column} AS key, count(*)::int AS count FROM events
    WHERE id > $1 AND ($2::float8 IS NULL OR created_at >= to_timestamp($2::float8 / 1000)) AND ${where}
    GROUP BY 1, 2`;
}

/**
 * Returns the response that is right for these counts of all groups: the total, and the counts of the largest groups.
 * @type {(rows: CountRow[]) => {total: number, rows: string[]}}
 */
export function toExpected(rows) {
  /** @type {Map<string | null, number>} */
  const groups = new Map();
  for (const { key, count } of rows) groups.set(key, (groups.get(key) ?? 0) + count);
  const listed = new Set(
    [...groups]
      .sort(byNumberAndKey)
      .slice(0, TOP)
      .map(([key]) => key),
  );
  return { total: rows.reduce((sum, { count }) => sum + count, 0), rows: toTexts(rows.filter(({ key }) => listed.has(key))) };
}

/** Groups of equal size are ordered by the bytes of their keys. Null is the last one. @type {(one: [string | null, number], other: [string | null, number]) => number} */
function byNumberAndKey([key, count], [otherKey, otherCount]) {
  if (count !== otherCount) return otherCount - count;
  if (key === null || otherKey === null) return key === null ? 1 : -1;
  return Buffer.compare(Buffer.from(key), Buffer.from(otherKey));
}

/**
 * Adds the numbers of two lists.
 * @type {(one: CountRow[], other: CountRow[]) => CountRow[]}
 */
export function addRows(one, other) {
  const rows = new Map(one.map((row) => [JSON.stringify([row.time, row.key]), row]));
  for (const row of other) {
    const name = JSON.stringify([row.time, row.key]);
    rows.set(name, { ...row, count: row.count + (rows.get(name)?.count ?? 0) });
  }
  return [...rows.values()];
}

/**
 * Returns the numbers of a response, without the buckets and groups that have no events.
 * @type {(response: {total: number, rows: {time: string | null, key: string | null, count: number}[]}) => {total: number, rows: string[]}}
 */
export function toSeen({ total, rows }) {
  const found = rows.map(({ time, ...row }) => ({ ...row, time: time === null ? null : Date.parse(time) }));
  return { total, rows: toTexts(found) };
}

/** @type {(rows: CountRow[]) => string[]} */
const toTexts = (rows) =>
  rows
    .filter(({ count }) => count > 0)
    .map(({ time, key, count }) => JSON.stringify([time, key, count]))
    .sort();
