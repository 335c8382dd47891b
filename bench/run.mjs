import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { repositoryFile, run, startServer } from './child.mjs';
import { atEnd, withCleanUp } from './cleanup.mjs';
import { assignCores } from './cores.mjs';
import { addPageFlags, fillEventLog } from './event-log.mjs';
import { GATEWAY_ENV, nodeOptions, startGateway, TOKEN } from './gateway.mjs';
import { compareChanges, compareCounts, compareExports } from './log-targets.mjs';
import { measureChanges } from './measure-changes.mjs';
import { measureConsole } from './measure-console.mjs';
import { measureCounts } from './measure-counts.mjs';
import { measureDocuments } from './measure-documents.mjs';
import { measureExports } from './measure-exports.mjs';
import { measureImport } from './measure-import.mjs';
import { measurePages, selectCases } from './measure-pages.mjs';
import { loadStatistics, measurePlans } from './measure-plans.mjs';
import { measureQueries } from './measure-queries.mjs';
import { measureStarts } from './measure-start.mjs';
import { measureStream } from './measure-stream.mjs';
import { measureStreams } from './measure-streams.mjs';
import { measureUnchanged } from './measure-unchanged.mjs';
import { parseOptions } from './options.mjs';
import { renderOutcomes } from './outcome.mjs';
import { createPageCases, REST } from './page-cases.mjs';
import { holdLock, startPostgres, withClient } from './postgres.mjs';
import { createQueries } from './query-cases.mjs';
import { renderReport } from './report.mjs';
import { renderConsole } from './report-console.mjs';
import { renderChanges, renderCounts, renderExports } from './report-log.mjs';
import { renderPages, renderPlans } from './report-pages.mjs';
import { installPostgraphile } from './rivals/install-postgraphile.mjs';
import { compareStreams } from './stream-targets.mjs';

/** @typedef {import('./options.mjs').Options} Options */

/** The baseline for the first page of a large log. */
const SMALL_LOG = 100_000;
const LARGE_LOG = 10_000_000;
const REPORT = 'docs/performance.md';

/** The lock of the process that builds the indexes of a log (src/database/indexes/build-indexes.ts). */
const INDEX_LOCK = 42_427_303;

/** @param {string} progress */
const tell = (progress) => process.stderr.write(`${progress}\n`);

/** @param {Options} options */
async function bench(options) {
  tell('building');
  await run([process.execPath, repositoryFile('build.mjs'), '--if-changed']);
  const postgraphile = (options.only ?? 'pages') === 'pages' ? installPostgraphile(tell) : null;
  const cores = assignCores();
  tell('starting PostgreSQL');
  const postgres = await startPostgres(cores.database);
  const how = { ...options, databasePid: postgres.pid, pinned: cores.load, token: TOKEN };
  const setting = { options, postgres, cores, postgraphile, how };
  const benches = {
    pages: benchPages,
    plans: benchPlans,
    exports: benchExports,
    counts: benchCounts,
    changes: benchChanges,
    console: benchConsole,
    streams: benchStreams,
  };
  await (options.only ? benches[options.only] : benchAll)(setting);
}

/** @typedef {{options: Options, postgres: import('./postgres.mjs').Postgres, cores: import('./cores.mjs').Cores, postgraphile: string[] | null,
how: Options & {databasePid: number, pinned: string[], token: string}}} Setting */

/** @param {Setting} setting */
async function benchPages({ options, postgres, cores, postgraphile, how }) {
  const databaseUrl = await createMigrated(postgres, 'bench_pages');
  tell(`generating ${options.events} events`);
  await fillEventLog(databaseUrl, options.events);
  const pages = await measureAllPages(databaseUrl, { options, cores, postgraphile, how });
  process.stdout.write(`\n${renderPages(pages.figures, '#')}\n`);
}

/** @param {Setting} setting */
async function benchPlans({ options: { events }, postgres }) {
  const url = await createMigrated(postgres, 'bench_plans');
  tell(`generating ${events} events`);
  const flag = await fillEventLog(url, events);
  const plans = await measurePlans([{ url, events, flag }], { postgres, prepare: keepIndexes }, tell);
  process.stdout.write(`\n${renderPlans(plans)}\n`);
}

/** @param {Setting} setting */
async function benchExports({ options: { events, seed }, postgres, cores }) {
  const databaseUrl = await createFilled(postgres, 'bench_exports', events);
  const exports = await measureAllExports(postgres, { databaseUrl, folder: makeFolder(), seed, pinned: cores.server });
  printOnly(compareExports(exports), renderExports(exports));
}

/** @param {Setting} setting */
async function benchCounts({ options: { events }, postgres, cores }) {
  const databaseUrl = await createFilled(postgres, 'bench_counts', events);
  const counts = await measureCounts({ databaseUrl, pinned: cores.server }, tell);
  printOnly(compareCounts(counts), renderCounts(counts));
}

/** @param {Setting} setting */
async function benchChanges({ postgres, cores }) {
  const changes = await measureChanges(
    { databaseUrl: await createMigrated(postgres, 'bench_changes'), pinned: cores.server },
    tell,
  );
  printOnly(compareChanges(changes), renderChanges(changes));
}

/** @type {(outcomes: import('./outcome.mjs').Outcome[], figures: string) => void} */
const printOnly = (outcomes, figures) => void process.stdout.write(`\n${renderOutcomes(outcomes)}\n\n${figures}\n`);

/** Exports a log and imports it into a database that is dropped afterwards. */
async function measureAllExports(
  /** @type {import('./postgres.mjs').Postgres} */ postgres,
  /** @type {Omit<Parameters<typeof measureExports>[0], 'emptyUrl'>} */ how,
) {
  const name = 'bench_exported';
  const exports = await measureExports({ ...how, emptyUrl: await createMigrated(postgres, name) }, tell);
  await withClient(postgres.urlOf('postgres'), (client) => client.query(`DROP DATABASE ${name}`));
  return exports;
}

/** Creates a log without indexes for free text. @type {(postgres: import('./postgres.mjs').Postgres, name: string, events: number) => Promise<string>} */
async function createFilled(postgres, name, events) {
  const url = await createMigrated(postgres, name);
  tell(`generating ${events} events`);
  await fillEventLog(url, events);
  await keepIndexes({ url });
  return url;
}

function makeFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'flag-admin-gateway-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The number of events that a person scrolls through at most. */
const SCROLLED = 100_000;

/** @param {Setting} setting */
async function benchConsole({ options: { events }, postgres, cores }) {
  const databaseUrl = await createFilled(postgres, 'bench_console', events);
  const gateway = await startGateway(databaseUrl, cores.server);
  const figures = await measureConsole(gateway.url, { databaseUrl, events: Math.min(events, SCROLLED) }, tell);
  await gateway.stop();
  process.stdout.write(`\n${renderConsole(figures, events)}\n`);
}

/** @param {Setting} setting */
async function benchStreams({ options, postgres, cores, how }) {
  const statistics = await loadStatistics(postgres);
  const databaseUrl = await createFilled(postgres, 'bench_streams', options.events);
  const streams = await measureStreams({ ...how, databaseUrl, statistics, pinned: cores }, tell);
  process.stdout.write(`\n${renderOutcomes(compareStreams(streams))}\n`);
}

/** Prevents gateways from building free-text indexes during a measurement, which does not need them. @type {(log: {url: string}) => Promise<void>} */
const keepIndexes = ({ url }) => holdLock(url, INDEX_LOCK);

/**
 * Measures pages of a log, to which their flags are added.
 * @param {string} databaseUrl
 * @param {Omit<Setting, 'postgres'>} setting
 */
async function measureAllPages(databaseUrl, { options, cores, postgraphile, how }) {
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

/** @param {Setting} setting */
async function benchAll({ options, postgres, cores, postgraphile, how }) {
  const loadBefore = os.loadavg()[0] ?? 0;
  const folder = makeFolder();
  const generatedUrl = await createMigrated(postgres, 'bench_generated');
  tell(`generating ${options.events} events`);
  const flag = await fillEventLog(generatedUrl, options.events);
  const otherLogs = await createOtherLogs(postgres, options);

  // All measurements but that of the pages use a log that was imported.
  const databaseUrl = await createMigrated(postgres, 'bench');
  const imported = await measureImport(
    { from: generatedUrl, into: databaseUrl, events: options.events, folder, env: GATEWAY_ENV },
    tell,
  );
  const starts = await measureStarts({ databaseUrl, folder, env: GATEWAY_ENV }, tell);
  const pages = await measureAllPages(generatedUrl, { options, cores, postgraphile, how });

  const servers = { bare: await startBare(databaseUrl, cores.server), gateway: await startGateway(databaseUrl, cores.server) };
  tell('all events of a busy flag');
  const stream = await measureStream(servers.gateway, { token: TOKEN, flag });
  tell('unchanged responses');
  const page = { limit: 50, fields: /** @type {const} */ ('all fields'), flags: [flag], token: TOKEN };
  const rest = createPageCases({ gateway: servers.gateway }, page).find(({ name }) => name === REST);
  const unchanged = rest ? await measureUnchanged(rest, how) : null;
  await Promise.all(otherLogs.map(keepIndexes));
  const others = await Promise.all(
    otherLogs.map(async ({ url, events }) => ({ events, server: await startGateway(url, cores.server) })),
  );
  const queries = await measureQueries(
    await createQueries(servers, { token: TOKEN, events: options.events, flag, others }),
    how,
    tell,
  );
  await Promise.all([...Object.values(servers), ...others.map(({ server }) => server)].map((server) => server.stop()));
  tell('memory over many documents');
  const busy = await startGateway(databaseUrl, cores.server);
  const documents = await measureDocuments(busy, { token: TOKEN, pinned: cores.load });
  await busy.stop();
  const pinned = cores.server;
  const exports = await measureAllExports(postgres, { databaseUrl, folder, seed: options.seed, pinned });
  const counts = await measureCounts({ databaseUrl, pinned }, tell);
  const changes = await measureChanges({ databaseUrl: await createMigrated(postgres, 'bench_changes'), pinned }, tell);
  const large = otherLogs.filter(({ events }) => events === LARGE_LOG);
  const plans = await measurePlans(
    [{ url: databaseUrl, events: options.events, flag }, ...large],
    { postgres, prepare: keepIndexes },
    tell,
  );

  const report = renderReport({
    options,
    postgresVersion: postgres.version,
    pinning: cores.description,
    loadBefore,
    pages,
    hasPostgraphile: postgraphile !== null,
    starts,
    imported,
    stream,
    unchanged,
    queries,
    documents,
    plans,
    exports,
    counts,
    changes,
  });
  await writeFile(repositoryFile(REPORT), report);
  process.stdout.write(`\n${report}\n`);
  tell(`Written to ${REPORT}.`);
}

/** @type {(postgres: import('./postgres.mjs').Postgres, options: Options) => Promise<import('./measure-plans.mjs').Log[]>} */
function createOtherLogs(postgres, { large }) {
  return Promise.all(
    (large ? [SMALL_LOG, LARGE_LOG] : [SMALL_LOG]).map(async (events) => {
      tell(`generating ${events} events`);
      const url = await createMigrated(postgres, `bench_${events}`);
      const flag = await fillEventLog(url, events);
      return { url, events, flag };
    }),
  );
}

/** @type {(postgres: import('./postgres.mjs').Postgres, name: string) => Promise<string>} */
async function createMigrated(postgres, name) {
  const url = await postgres.createDatabase(name);
  await run([process.execPath, repositoryFile('dist/main.js'), 'migrate'], { ...GATEWAY_ENV, DATABASE_URL: url });
  return url;
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
function startBare(databaseUrl, pinned) {
  const command = [...pinned, process.execPath, ...nodeOptions(), repositoryFile('bench/rivals/bare.mjs')];
  return startServer(command, { DATABASE_URL: databaseUrl, NODE_ENV: 'production' });
}

await withCleanUp(async () => {
  const options = parseOptions();
  if (options) await bench(options);
});
