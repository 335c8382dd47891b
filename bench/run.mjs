import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { repositoryFile, run, startServer } from './child.mjs';
import { withCleanUp } from './cleanup.mjs';
import { assignCores } from './cores.mjs';
import { addPageFlags, fillEventLog } from './event-log.mjs';
import { GATEWAY_ENV, nodeOptions, startGateway, TOKEN } from './gateway.mjs';
import { measureDocuments } from './measure-documents.mjs';
import { measureImport } from './measure-import.mjs';
import { measurePages, selectCases } from './measure-pages.mjs';
import { measurePlans } from './measure-plans.mjs';
import { measureQueries } from './measure-queries.mjs';
import { measureStarts } from './measure-start.mjs';
import { measureStream } from './measure-stream.mjs';
import { measureUnchanged } from './measure-unchanged.mjs';
import { parseOptions } from './options.mjs';
import { createPageCases, REST } from './page-cases.mjs';
import { startPostgres } from './postgres.mjs';
import { createMigrated, keepIndexes, makeFolder, tell } from './prepare.mjs';
import { createQueries } from './query-cases.mjs';
import { renderReport } from './report.mjs';
import { renderPages, renderPlans } from './report-pages.mjs';
import { installPostgraphile } from './rivals/install-postgraphile.mjs';
import { benchChanges, benchCounts, benchExports, measureAllOfLog } from './run-log.mjs';

/** @typedef {import('./options.mjs').Options} Options */

/** The baseline for the first page of a large log. */
const SMALL_LOG = 100_000;
const LARGE_LOG = 10_000_000;
const REPORT = 'docs/performance.md';

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
  const benches = { pages: benchPages, plans: benchPlans, exports: benchExports, counts: benchCounts, changes: benchChanges };
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
  const ofLog = await measureAllOfLog(databaseUrl, folder, { options, postgres, cores });
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
    ...ofLog,
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
