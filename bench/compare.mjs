import { access } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { withAddedEvents } from './added-events.mjs';
import { repositoryFile, run, startServer } from './child.mjs';
import { withCleanUp } from './cleanup.mjs';
import { assignCores } from './cores.mjs';
import { addPageFlags, fillEventLog } from './event-log.mjs';
import { GATEWAY_ENV, nodeOptions, TOKEN } from './gateway.mjs';
import { measureOnce } from './measure-load.mjs';
import { READS } from './measure-pages.mjs';
import { checkSameAnswers, createPageCases } from './page-cases.mjs';
import { startPostgres, withClient } from './postgres.mjs';
import { createQueries } from './query-cases.mjs';
import { checkSameResponses } from './same-responses.mjs';
import { median } from './statistics.mjs';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {import('./query-cases.mjs').LoadRequest} LoadRequest */

/**
 * @typedef {object} Compared
 * @property {string} name
 * @property {Server} server
 * @property {LoadRequest} request
 * @property {number} connections
 * @property {number | null} addedEveryMs time between two events that are added to the log; null if the log does not change
 */

const USAGE = 'Usage: npm run bench:compare -- <folder of another checkout, built> [text in the names of cases]';
const EVENTS = 100_000;
const ROUNDS = 7;
const SECONDS = 2;
const WARM_UP_SECONDS = 4;

const FIRST_READS = 'first reads';

/**
 * Compares this checkout with another one on the same database. Both take turns in each round, so that a disturbance of the machine
 * affects both.
 * @param {string} other folder of the other checkout
 * @param {string} text only cases with this text in their name
 */
async function compare(other, text) {
  const cores = assignCores();
  const postgres = await startPostgres(cores.database);
  const databaseUrl = await postgres.createDatabase('bench');
  const env = { ...GATEWAY_ENV, DATABASE_URL: databaseUrl };
  await run([process.execPath, repositoryFile('dist/main.js'), 'migrate'], env);
  const indexes = await countIndexes(databaseUrl);
  const flag = await fillEventLog(databaseUrl, EVENTS);
  const { flags } = await addPageFlags(databaseUrl, EVENTS);
  const start = (/** @type {string} */ folder) => {
    const main = path.join(folder, 'dist/main.js');
    return startServer([...cores.server, process.execPath, ...nodeOptions(folder), main, 'serve'], env, 'ignore');
  };
  const [before, after] = [await start(other), await start(repositoryFile(''))];
  // A gateway builds the indexes that generating the log has dropped.
  while ((await countIndexes(databaseUrl)) < indexes) await setTimeout(1_000);
  const checked = await checkSameResponses(databaseUrl, [before, after]);
  process.stdout.write(`${checked} different requests have the same responses.\n`);
  const beforeCases = await createCompared(before, flag, flags);
  const afterCases = await createCompared(after, flag, flags);
  process.stdout.write('CPU of the gateway per request, and p50: medians here, and the ratio of here to there\n');
  for (const [index, one] of afterCases.entries()) {
    if (!one.name.includes(text)) continue;
    const pair = /** @type {[Compared, Compared]} */ ([beforeCases[index], one]);
    const how = { databasePid: postgres.pid, pinned: cores.load, connections: one.connections };
    const samples = pair.map(() => /** @type {{cpu: number, p50: number}[]} */ ([]));
    await withAddedEvents(databaseUrl, one.addedEveryMs, async () => {
      for (const each of pair) await measureOnce(each, { ...how, seconds: WARM_UP_SECONDS });
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [side, each] of pair.entries()) {
          const { serverCpuMs, p50Ms } = await measureOnce(each, { ...how, seconds: SECONDS });
          samples[side]?.push({ cpu: serverCpuMs ?? Number.NaN, p50: p50Ms });
        }
      }
    });
    const [cpuThere = 0, cpuHere = 0] = samples.map((side) => median(side.map(({ cpu }) => cpu)));
    const [p50There = 0, p50Here = 0] = samples.map((side) => median(side.map(({ p50 }) => p50)));
    const cpu = `${cpuHere.toFixed(2)} ms, ${(cpuHere / cpuThere).toFixed(2)}`;
    process.stdout.write(`${one.name}: CPU ${cpu}; p50 ${p50Here.toFixed(1)} ms, ${(p50Here / p50There).toFixed(2)}\n`);
  }
}

/** @type {(databaseUrl: string) => Promise<number>} */
const countIndexes = (databaseUrl) =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(`SELECT count(*)::int FROM pg_index WHERE indrelid = 'events'::regclass AND indisvalid`);
    return rows[0].count;
  });

/** @type {(gateway: Server, flag: string, flags: import('./event-log.mjs').PageFlags) => Promise<Compared[]>} */
async function createCompared(gateway, flag, { light, heavy }) {
  const page = { limit: 50, fields: /** @type {const} */ ('all fields'), flags: [flag], token: TOKEN };
  const addedEveryMs = READS.find(({ name }) => name === FIRST_READS)?.addedEveryMs;
  if (addedEveryMs == null) throw new Error(`No event is added during ${FIRST_READS}.`);
  const firstReads = Object.entries({ light, heavy }).flatMap(([rows, flags]) =>
    /** @type {const} */ (['all fields', 'three fields']).map((fields) => ({
      name: `${fields}, ${rows}, ${FIRST_READS}`,
      addedEveryMs,
      page: { ...page, fields, flags },
    })),
  );
  const pages = [{ name: 'asked again', addedEveryMs: null, page }, ...firstReads];
  const cases = [];
  for (const { page: wanted, ...reads } of pages) {
    const ofPage = createPageCases({ gateway }, wanted);
    await checkSameAnswers(ofPage, wanted.limit);
    cases.push(...ofPage.map((each) => ({ ...each, ...reads, name: `${each.name}, ${reads.name}`, connections: 10 })));
  }
  const queries = await createQueries({ gateway, bare: gateway }, { token: TOKEN, events: EVENTS, flag, others: [] });
  const ofGateway = queries.filter(({ name }) => !name.includes('node:http'));
  return [...cases, ...ofGateway.map((query) => ({ ...query, addedEveryMs: null, connections: 1 }))];
}

await withCleanUp(async () => {
  const [other, text = ''] = process.argv.slice(2);
  const folder = other === undefined ? null : path.resolve(other);
  const isBuilt =
    folder !== null &&
    (await access(path.join(folder, 'dist/main.js')).then(
      () => true,
      () => false,
    ));
  if (folder === null || !isBuilt) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  await compare(folder, text);
});
