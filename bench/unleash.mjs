import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import os from 'node:os';
import { text } from 'node:stream/consumers';
import { ADMIN_TOKEN, environmentOf, installUnleash } from '../test/live/install-unleash.mjs';
import { repositoryFile, run, startServer } from './child.mjs';
import { withCleanUp } from './cleanup.mjs';
import { assignCores, pinThisProcess } from './cores.mjs';
import { fillEventLog } from './event-log.mjs';
import { freePort, startPostgres, withClient } from './postgres.mjs';
import { percentile } from './statistics.mjs';

/** `npm run bench:unleash` measures searches by Unleash and by the gateway on one database, before and after `indexes --apply`. */
const VERSION = '8.2.0';
const EVENTS = 1_000_000;
/** The setting of `deploy`, used for both servers. */
const NODE_OPTIONS = '--max-semi-space-size=32';
const REPORT = 'docs/performance-unleash.md';

/** A few slow responses are enough. */
const MAX_REQUESTS = 300;
const MAX_MS = 30_000;
/** Node compiles hot code during the warm-up, which uses other texts, flags and pages than the measurement. */
const WARM_UP_MS = 5_000;
const WARM_UP_QUESTIONS = 900;

const RARE = Math.floor(EVENTS / 3);
const SEARCH = '/api/admin/search/events';
/** @typedef {'Unleash' | 'this gateway'} ServerName */
/**
 * Paths of health checks. Their time is the part of each response time that does not belong to the query.
 * @type {Record<ServerName, string>}
 */
const ALIVE = { Unleash: '/health', 'this gateway': '/livez' };
/** @type {{name: string, path: (n: number, server: ServerName) => string}[]} the path varies with `n`, if possible, so that no request repeats another */
const QUESTIONS = [
  { name: 'health check', path: (_, server) => ALIVE[server] },
  { name: 'free text in one event, with total', path: (n) => `${SEARCH}?query=Rollout%20${RARE + n}` },
  { name: 'first page of all events, with total', path: () => `${SEARCH}?limit=50` },
  { name: 'first page of one flag, with total', path: (n) => `${SEARCH}?feature=IS:flag-${1000 + n}&limit=50` },
  { name: 'page after 900,000 events, with total', path: (n) => `${SEARCH}?limit=50&offset=${900_000 + n}` },
];

const tell = (/** @type {string} */ progress) => process.stderr.write(`${progress}\n`);

async function bench() {
  await run(['npm', '--prefix', repositoryFile(''), 'run', '-s', 'build']);
  const command = installUnleash(VERSION);
  const cores = assignCores();
  const postgres = await startPostgres(cores.database);
  const databaseUrl = await postgres.createDatabase('unleash');
  const environment = environmentOf(databaseUrl, await freePort());
  tell('migrating');
  const migrating = await startServer(command, environment);
  await migrating.stop();
  tell(`generating ${EVENTS} events`);
  await withClient(databaseUrl, (client) => client.query(PREPARE));
  await fillEventLog(databaseUrl, EVENTS);
  await withClient(databaseUrl, (client) => client.query(RESTORE));

  const unleash = await startServer([...cores.server, ...command], { ...environment, NODE_OPTIONS });
  const gateway = await startServer([...cores.server, process.execPath, repositoryFile('dist/main.js'), 'serve'], {
    NODE_OPTIONS,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATABASE_SCHEMA: 'unleash',
    UNLEASH_URL: unleash.url,
    STATEMENT_TIMEOUT_MS: '0',
  });
  // This process generates the load. The processes that it started keep their cores.
  pinThisProcess(cores.load);
  const servers = { Unleash: unleash.url, 'this gateway': gateway.url };
  const before = await measureAll(servers, 'without the indexes');
  tell('building the indexes');
  const indexes = await run([process.execPath, repositoryFile('dist/main.js'), 'indexes', '--apply'], {
    DATABASE_URL: databaseUrl,
  });
  const bytes = await withClient(databaseUrl, async (client) => (await client.query(SIZE)).rows[0].bytes);
  await withClient(databaseUrl, (client) => client.query('VACUUM ANALYZE events'));
  const after = await measureAll(servers, 'with the indexes');
  const report = render(before, after, { ms: indexes.ms, bytes, estimated: indexes.stdout }, cores.description);
  await writeFile(repositoryFile(REPORT), report);
  process.stdout.write(`\n${report}\n`);
}

/** Disables the triggers and marks events as announced, because Unleash would otherwise count and process each new event. */
const PREPARE = 'ALTER TABLE events DISABLE TRIGGER USER; ALTER TABLE events ALTER announced SET DEFAULT true';
const RESTORE = 'ALTER TABLE events ENABLE TRIGGER USER; ALTER TABLE events ALTER announced SET DEFAULT false';
const SIZE = `SELECT sum(pg_relation_size(oid))::float8 AS bytes FROM pg_class WHERE relname LIKE 'gateway\\_events\\_%'`;

/** @typedef {{server: string, question: string, requests: number, p50Ms: number, p95Ms: number}} Figures */

/** @type {(servers: Record<ServerName, string>, when: string) => Promise<Figures[]>} */
async function measureAll(servers, when) {
  const figures = [];
  for (const { name, path } of QUESTIONS) {
    for (const [server, url] of Object.entries(servers)) {
      tell(`${when}: ${name}, ${server}`);
      const urlOf = (/** @type {number} */ n) => `${url}${path(n, /** @type {ServerName} */ (server))}`;
      figures.push({ server, question: name, ...(await measure(urlOf)) });
    }
  }
  return figures;
}

/**
 * Sends one request after the other.
 * @type {(urlOf: (n: number) => string) => Promise<{requests: number, p50Ms: number, p95Ms: number}>}
 */
async function measure(urlOf) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (/** @type {number} */ n) => {
    const sentAt = performance.now();
    const [response] = await once(get(urlOf(n), { agent, headers: { authorization: ADMIN_TOKEN } }), 'response');
    const body = await text(response);
    const ms = performance.now() - sentAt;
    const { total } = JSON.parse(body);
    if (response.statusCode !== 200 || total === 0)
      throw new Error(`${urlOf(n)} responded with ${response.statusCode} and a total of ${total}.`);
    return ms;
  };
  const warmAt = performance.now();
  for (let n = 0; n === 0 || performance.now() - warmAt < WARM_UP_MS; n += 1) await ask(-1 - (n % WARM_UP_QUESTIONS));

  const times = [];
  const startedAt = performance.now();
  for (let n = 0; n < MAX_REQUESTS && (times.length < 3 || performance.now() - startedAt < MAX_MS); n += 1)
    times.push(await ask(n));
  agent.destroy();
  return { requests: times.length, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

/** @type {(before: Figures[], after: Figures[], indexes: {ms: number, bytes: number, estimated: string}, pinning: string) => string} */
function render(before, after, { ms, bytes }, pinning) {
  /** @type {(figures: Figures, index: number) => string} */
  const row = ({ server, question, p50Ms, p95Ms }, index) =>
    `| ${question} | ${server} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} | ${after[index]?.p50Ms.toFixed(1)} | ${after[index]?.p95Ms.toFixed(1)} |`;
  return `# Beside an Unleash server

\`npm run bench:unleash\` wrote this report on ${new Date().toISOString().slice(0, 10)}. Unleash ${VERSION} with ${EVENTS.toLocaleString('en')} events, its PostgreSQL database and the
gateway run on ${os.cpus()[0]?.model.trim()} with ${os.cpus().length} cores. One client sends the same queries to both servers, one request after the other, with
another text, flag or page each time. A warm-up of ${WARM_UP_MS / 1000} s uses other values. Each row has up to ${MAX_REQUESTS} requests within ${MAX_MS / 1000} s. The times are
milliseconds until the client has the whole response, which neither server compresses. Both servers run with Node.js' \`${NODE_OPTIONS}\`, as the
gateway does in [deploy](../deploy). ${pinning}

| Query | Server | p50 without indexes | p95 | p50 with indexes | p95 |
| ----- | ------ | ------------------- | --- | ---------------- | --- |
${before.map(row).join('\n')}

\`gateway indexes --apply\` took ${(ms / 1000).toFixed(0)} s. Its indexes take ${(bytes / 1e6).toFixed(0)} MB on disk.
`;
}

await withCleanUp(bench);
