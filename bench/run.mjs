import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkSameAnswers, createCases, createQueries } from './cases.mjs';
import { repositoryFile, run, startServer } from './child.mjs';
import { atEnd, withCleanUp } from './cleanup.mjs';
import { assignCores } from './cores.mjs';
import { fillEventLog } from './event-log.mjs';
import { measureDocuments } from './measure-documents.mjs';
import { measureImport } from './measure-import.mjs';
import { measureLoad } from './measure-load.mjs';
import { measureQueries } from './measure-queries.mjs';
import { measureStarts } from './measure-start.mjs';
import { measureStream } from './measure-stream.mjs';
import { measureUnchanged } from './measure-unchanged.mjs';
import { parseOptions } from './options.mjs';
import { holdLock, startPostgres } from './postgres.mjs';
import { renderReport } from './report.mjs';

/** @typedef {import('./options.mjs').Options} Options */

const TOKEN = 'benchmark-token';
const GATEWAY_ENV = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  PORT: '0',
  INIT_ADMIN_API_TOKENS: TOKEN,
  // Keeps counting as by default, with a budget that no benchmark client uses up.
  GRAPHQL_COST_PER_MINUTE: '900000000',
};
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
  const loadBefore = os.loadavg()[0] ?? 0;
  tell('building');
  await run(['npm', '--prefix', repositoryFile(''), 'run', '-s', 'build']);

  const cores = assignCores();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'flag-admin-gateway-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));

  tell('starting PostgreSQL');
  const postgres = await startPostgres(cores.database);
  const generatedUrl = await createMigrated(postgres, 'bench_generated');
  tell(`generating ${options.events} events`);
  const flag = await fillEventLog(generatedUrl, options.events);
  const otherLogs = await Promise.all(
    (options.large ? [SMALL_LOG, LARGE_LOG] : [SMALL_LOG]).map(async (events) => {
      tell(`generating ${events} events`);
      const url = await createMigrated(postgres, `bench_${events}`);
      await fillEventLog(url, events);
      return { url, events };
    }),
  );

  // The benchmark measures a log that was imported.
  const databaseUrl = await createMigrated(postgres, 'bench');
  const imported = await measureImport(
    { from: generatedUrl, into: databaseUrl, events: options.events, folder, env: GATEWAY_ENV },
    tell,
  );
  await postgres.dropDatabase('bench_generated');
  const starts = await measureStarts({ databaseUrl, folder, env: GATEWAY_ENV }, tell);

  const how = { ...options, databasePid: postgres.pid, pinned: cores.load };
  const servers = await startServers(databaseUrl, cores.server);
  tell('all events of a busy flag');
  const stream = await measureStream(servers.gateway, { token: TOKEN, flag });
  const cases = createCases(servers, { flag, token: TOKEN });
  const answer = await checkSameAnswers(cases);
  const load = await measureLoad(cases, how, tell);
  tell('unchanged responses');
  const rest = cases.find(({ name }) => name === 'this gateway, REST');
  const unchanged = rest ? await measureUnchanged(rest, how) : null;
  // Prevents these gateways from building free-text indexes during the measurement, which does not need them.
  await Promise.all(otherLogs.map(({ url }) => holdLock(url, INDEX_LOCK)));
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
  const documents = await measureDocuments(await startGateway(databaseUrl, cores.server), { token: TOKEN, pinned: cores.load });

  const report = renderReport({
    options,
    postgresVersion: postgres.version,
    pinning: cores.description,
    loadBefore,
    answer,
    load,
    starts,
    imported,
    stream,
    unchanged,
    queries,
    documents,
  });
  await writeFile(repositoryFile(REPORT), report);
  process.stdout.write(`\n${report}\n`);
  tell(`Written to ${REPORT}.`);
}

/** @type {(postgres: import('./postgres.mjs').Postgres, name: string) => Promise<string>} */
async function createMigrated(postgres, name) {
  const url = await postgres.createDatabase(name);
  await run([process.execPath, repositoryFile('dist/main.js'), 'migrate'], { ...GATEWAY_ENV, DATABASE_URL: url });
  return url;
}

/** @type {(databaseUrl: string, pinned: string[]) => Promise<Parameters<typeof createCases>[0]>} */
async function startServers(databaseUrl, pinned) {
  const env = { ...GATEWAY_ENV, DATABASE_URL: databaseUrl };
  const start = (/** @type {string} */ file) => startServer([...pinned, process.execPath, repositoryFile(file)], env);
  return {
    bare: await start('bench/rivals/bare.mjs'),
    gateway: await startGateway(databaseUrl, pinned),
    stockApollo: await start('bench/rivals/stock-apollo.mjs'),
  };
}

/** @type {(databaseUrl: string, pinned: string[]) => Promise<import('./child.mjs').Server>} */
function startGateway(databaseUrl, pinned) {
  return startServer([...pinned, process.execPath, repositoryFile('dist/main.js'), 'serve'], {
    ...GATEWAY_ENV,
    DATABASE_URL: databaseUrl,
  });
}

await withCleanUp(async () => {
  const options = parseOptions();
  if (options) await bench(options);
});
