import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repositoryFile, run, startServer } from './child.mjs';
import { atEnd } from './cleanup.mjs';
import { addPageFlags, fillEventLog } from './event-log.mjs';
import { GATEWAY_ENV, nodeOptions, startGateway } from './gateway.mjs';
import { measureExports } from './measure-exports.mjs';
import { measurePages, selectCases } from './measure-pages.mjs';
import { holdLock, withClient } from './postgres.mjs';

/** @typedef {import('./options.mjs').Options} Options */

/** @typedef {{options: Options, postgres: import('./postgres.mjs').Postgres, cores: import('./cores.mjs').Cores, postgraphile: string[] | null,
how: Options & {databasePid: number, pinned: string[], token: string}}} Setting */

/** The lock of the process that builds the indexes of a log (src/database/indexes/build-indexes.ts). */
const INDEX_LOCK = 42_427_303;

/** @param {string} progress */
export const tell = (progress) => process.stderr.write(`${progress}\n`);

/** @type {(postgres: import('./postgres.mjs').Postgres, name: string) => Promise<string>} */
export async function createMigrated(postgres, name) {
  const url = await postgres.createDatabase(name);
  await run([process.execPath, repositoryFile('dist/main.js'), 'migrate'], { ...GATEWAY_ENV, DATABASE_URL: url });
  return url;
}

/** Creates a log without indexes for free text. @type {(postgres: import('./postgres.mjs').Postgres, name: string, events: number) => Promise<string>} */
export async function createFilled(postgres, name, events) {
  const url = await createMigrated(postgres, name);
  tell(`generating ${events} events`);
  await fillEventLog(url, events);
  await keepIndexes({ url });
  return url;
}

/** Prevents gateways from building free-text indexes during a measurement, which does not need them. @type {(log: {url: string}) => Promise<void>} */
export const keepIndexes = ({ url }) => holdLock(url, INDEX_LOCK);

export function makeFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'flag-admin-gateway-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Adds the flags for the pages to a log, and measures the pages.
 * @param {string} databaseUrl
 * @param {Omit<Setting, 'postgres'>} setting
 */
export async function measureAllPages(databaseUrl, { options, cores, postgraphile, how }) {
  tell('adding the flags of the pages');
  const { flags, added } = await addPageFlags(databaseUrl, options.events);
  await keepIndexes({ url: databaseUrl });
  const servers = await startServers(databaseUrl, cores.server, postgraphile);
  const { cases, servers: serverFilter } = options;
  const filter = serverFilter === undefined ? {} : { serverFilter };
  const figures = await measurePages(selectCases(cases), { ...how, ...filter, servers, databaseUrl, flags }, tell);
  await Promise.all(Object.values(servers).map((server) => server?.stop()));
  return { figures, added };
}

/** Exports a log and imports it into a database that is dropped afterwards. */
export async function measureAllExports(
  /** @type {import('./postgres.mjs').Postgres} */ postgres,
  /** @type {Omit<Parameters<typeof measureExports>[0], 'emptyUrl'>} */ how,
) {
  const name = 'bench_exported';
  const exports = await measureExports({ ...how, emptyUrl: await createMigrated(postgres, name) }, tell);
  await withClient(postgres.urlOf('postgres'), (client) => client.query(`DROP DATABASE ${name}`));
  return exports;
}

/** @type {(databaseUrl: string, pinned: string[], postgraphile: string[] | null) => Promise<import('./page-cases.mjs').Servers>} */
async function startServers(databaseUrl, pinned, postgraphile) {
  const env = { DATABASE_URL: databaseUrl, NODE_ENV: 'production' };
  const stockApollo = [...pinned, process.execPath, ...nodeOptions(), repositoryFile('bench/rivals/stock-apollo.mjs')];
  return {
    bare: await startBare(databaseUrl, pinned),
    gateway: await startGateway(databaseUrl, pinned),
    postgraphile: postgraphile && (await startServer([...pinned, ...postgraphile], { ...env, GRAPHILE_ENV: 'production' })),
    stockApollo: await startServer(stockApollo, env),
  };
}

/** @type {(databaseUrl: string, pinned: string[]) => Promise<import('./child.mjs').Server>} */
export function startBare(databaseUrl, pinned) {
  const command = [...pinned, process.execPath, ...nodeOptions(), repositoryFile('bench/rivals/bare.mjs')];
  return startServer(command, { DATABASE_URL: databaseUrl, NODE_ENV: 'production' });
}
