import { addEvent } from './added-events.mjs';
import { BUSY_FLAG } from './event-log.mjs';
import { startGateway, TOKEN } from './gateway.mjs';
import { allRequests } from './load-request.mjs';
import { createPageCases } from './page-cases.mjs';
import { withClient } from './postgres.mjs';

/** @typedef {{url: string, events: number, flag: string}} Log flag: an ordinary one */
/** @typedef {{events: number, kind: string, calls: number, plans: number}} PlanFigures calls: number of statements that PostgreSQL ran for pages of
events; plans: how often it planned one of them */

/** Counts plans. It is part of PostgreSQL. */
const EXTENSION = 'pg_stat_statements';
const SETTINGS = { shared_preload_libraries: EXTENSION, [`${EXTENSION}.track_planning`]: 'on' };

/**
 * PostgreSQL plans a named statement five times on a connection. At the sixth run, it can make a generic plan and keep it. The first
 * rounds can use other statements, because the gateway has no watermark yet.
 */
export const RUNS_BEFORE = 10;
export const RUNS = 20;

/** Selects the statements for pages and totals: they run once for each request, and those of timers run less often. */
const COUNT = `
  SELECT coalesce(sum(calls), 0)::int AS calls, coalesce(sum(plans), 0)::int AS plans
  FROM ${EXTENSION} JOIN pg_database ON pg_database.oid = dbid
  WHERE datname = $1 AND query ~ '\\mevents\\M' AND query !~* '^\\s*insert' AND calls >= $2`;

/**
 * Counts how often PostgreSQL plans the statements for a page of one flag, after their first runs. Restarts PostgreSQL.
 * @param {Log[]} logs
 * @param {{postgres: import('./postgres.mjs').Postgres, prepare: (log: Log) => Promise<unknown>}} how prepare: runs after the restart
 * @param {(progress: string) => void} tell
 * @returns {Promise<PlanFigures[]>} empty without the extension
 */
export async function measurePlans(logs, { postgres, prepare }, tell) {
  const statistics = await loadStatistics(postgres);
  if (statistics === null) {
    tell(`plans are not measured, because PostgreSQL has no ${EXTENSION}`);
    return [];
  }
  const figures = [];
  for (const log of logs) {
    await prepare(log);
    const flags = {
      missing: (/** @type {number} */ n) => `missing-${n}`,
      ordinary: () => log.flag,
      busy: () => BUSY_FLAG,
    };
    for (const [kind, toFlag] of Object.entries(flags)) {
      tell(`plans for ${kind} flags in a log of ${log.events} events`);
      figures.push({ events: log.events, kind, ...(await measureKind(log, statistics, toFlag)) });
    }
  }
  return figures;
}

/**
 * Restarts PostgreSQL with the extension. Returns the URL of the database that has it; null if PostgreSQL has no such extension.
 * @param {import('./postgres.mjs').Postgres} postgres
 */
export async function loadStatistics(postgres) {
  const url = postgres.urlOf('postgres');
  if (!(await isAvailable(url))) return null;
  await postgres.restart(SETTINGS);
  await withClient(url, (client) => client.query(`CREATE EXTENSION IF NOT EXISTS ${EXTENSION}`));
  return url;
}

/** Counts the statements that all clients of a database have run. @type {(statistics: string, databaseUrl: string) => Promise<number>} */
export async function countStatements(statistics, databaseUrl) {
  const { rows } = await withClient(statistics, (client) =>
    client.query(
      `SELECT coalesce(sum(calls), 0)::int AS calls FROM ${EXTENSION} JOIN pg_database ON pg_database.oid = dbid WHERE datname = $1`,
      [new URL(databaseUrl).pathname.slice(1)],
    ),
  );
  return rows[0].calls;
}

/** @type {(url: string) => Promise<boolean>} */
const isAvailable = (url) =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_available_extensions WHERE name = $1', [EXTENSION]);
    return rowCount === 1;
  });

/**
 * Uses a gateway of its own, because PostgreSQL chooses a plan by the first values on a connection. It has one connection. With
 * several, one could run its first statements only while they are counted.
 * @type {(log: Log, statistics: string, toFlag: (n: number) => string) => Promise<{calls: number, plans: number}>}
 */
async function measureKind({ url }, statistics, toFlag) {
  const gateway = await startGateway(url, [], { DATABASE_POOL_SIZE: '1' });
  await withClient(url, async (client) => {
    for (let run = 0; run < RUNS_BEFORE + RUNS; run += 1) {
      if (run === RUNS_BEFORE) await withClient(statistics, (other) => other.query(`SELECT ${EXTENSION}_reset()`));
      // After a new event, the gateway has no cached response.
      await addEvent(client);
      for (const { name, request } of createPageCases(
        { gateway },
        { limit: 50, fields: 'all fields', flags: [toFlag(run)], token: TOKEN },
      )) {
        for (const { url: address, ...init } of allRequests(request)) {
          const response = await fetch(address, init);
          const text = await response.text();
          if (!response.ok || JSON.parse(text).errors) throw new Error(`${name} responded with ${text.slice(0, 500)}`);
        }
      }
    }
  });
  const database = new URL(url).pathname.slice(1);
  const counted = await withClient(statistics, (client) => client.query(COUNT, [database, RUNS / 2]));
  await gateway.stop();
  if (counted.rows[0].calls < RUNS)
    throw new Error(`PostgreSQL counted ${counted.rows[0].calls} statements for ${RUNS} requests.`);
  return counted.rows[0];
}
