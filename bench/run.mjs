import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { repositoryFile, run } from './child.mjs';
import { withCleanUp } from './cleanup.mjs';
import { assignCores } from './cores.mjs';
import { fillEventLog } from './event-log.mjs';
import { GATEWAY_ENV, startGateway, TOKEN } from './gateway.mjs';
import { measureChanges } from './measure-changes.mjs';
import { measureCounts } from './measure-counts.mjs';
import { measureDocuments } from './measure-documents.mjs';
import { measureImport } from './measure-import.mjs';
import { measurePlans } from './measure-plans.mjs';
import { measureQueries } from './measure-queries.mjs';
import { measureStarts } from './measure-start.mjs';
import { measureStream } from './measure-stream.mjs';
import { measureUnchanged } from './measure-unchanged.mjs';
import { MEASUREMENTS } from './only.mjs';
import { parseOptions } from './options.mjs';
import { createPageCases, REST } from './page-cases.mjs';
import { startPostgres } from './postgres.mjs';
import { createQueries } from './query-cases.mjs';
import { renderReport } from './report.mjs';
import { installPostgraphile } from './rivals/install-postgraphile.mjs';
import { createMigrated, keepIndexes, makeFolder, measureAllExports, measureAllPages, startBare, tell } from './stage.mjs';

/**
 * @typedef {import('./options.mjs').Options} Options
 * @typedef {import('./stage.mjs').Setting} Setting
 */

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
  await (options.only ? MEASUREMENTS[options.only] : benchAll)(setting);
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
  const exports = await measureAllExports(postgres, {
    databaseUrl,
    databasePid: how.databasePid,
    folder,
    seed: options.seed,
    pinned,
  });
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

await withCleanUp(async () => {
  const options = parseOptions();
  if (options) await bench(options);
});
