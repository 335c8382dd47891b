import { parseArgs } from 'node:util';
import { withCleanUp } from '../bench/cleanup.mjs';
import { wholeNumber } from '../bench/options.mjs';
import { freePort, withClient } from '../bench/postgres.mjs';
import { memoryBytes } from '../bench/proc.mjs';
import { createDisturbance } from './disturbances.mjs';
import { applyLoad, send } from './load.mjs';
import { createRequests } from './operations.mjs';
import { ADMIN, prepare, tell, waitForIndexes } from './prepare.mjs';

const USAGE = `Usage: npm run soak -- [--minutes N] [--rate N] [--events N] [--disturb none|database|gateway|roll] [--times N]

Two gateways on one PostgreSQL server, and requests of all kinds to both, wrong ones too. Each answer is compared with the right one.

  --minutes N   how long (default 10)
  --rate N      requests a second (default 200)
  --events N    size of the log (default 100000)
  --disturb     database: the server is stopped at once, and started again (default none)
                gateway:  one of the gateways is killed, and started again
                roll:     the gateways are replaced one after the other, behind haproxy
  --times N     how often (default 10)
`;

const ENV = {
  LOG_LEVEL: 'error',
  GRAPHQL_COST_PER_MINUTE: '900000000',
  FAILED_LOGINS_PER_MINUTE: '0',
  STOP_DELAY_MS: '3000',
};
const MEMORY_EVERY_MS = 2_000;
/** Caches fill, and the compiler of JavaScript does its work. */
const WARM_UP_SECONDS = 60;
/** So many times is an unanswered creation sent again. */
const MAX_RESENT = 200;

async function soak() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      rate: { type: 'string', default: '200' },
      events: { type: 'string', default: '100000' },
      disturb: { type: 'string', default: 'none' },
      times: { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const seconds = 60 * wholeNumber('minutes', values.minutes, 1, 24 * 60, USAGE);
  const rate = wholeNumber('rate', values.rate, 1, 10_000, USAGE);
  const events = wholeNumber('events', values.events, 1000, 10_000_000, USAGE);
  const times = wholeNumber('times', values.times, 1, 1000, USAGE);
  const { postgres, databaseUrl, log, viewer, serve } = await prepare({ events, env: ENV });

  const ports = [await freePort(), await freePort()];
  const start = (/** @type {number} */ index) => serve({ PORT: String(ports[index]) });
  const gateways = await Promise.all(ports.map((_, index) => start(index)));
  await waitForIndexes(databaseUrl);

  const nextRequest = createRequests(log, { admin: ADMIN, viewer });
  const disturbance = await createDisturbance(values.disturb, {
    times,
    seconds,
    postgres,
    gateways,
    start,
    ports,
    tell,
  });
  const urls = disturbance.urls ?? gateways.map(({ url }) => url);

  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {string[]} */
  const wrong = [];
  /** @type {import('./operations.mjs').Request[]} */
  const unanswered = [];
  /** @type {string[]} */
  const acknowledged = [];
  let slowestRefusal = 0;
  const durations = /** @type {number[]} */ ([]);
  const onOutcome = (/** @type {import('./load.mjs').Outcome} */ outcome) => {
    const { request, status, body, startedAt, ms } = outcome;
    const kind = status === 503 ? 'refused (503)' : status === 0 ? 'no answer' : 'answered';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (status === 503 || status === 0) {
      if (request.key) unanswered.push(request);
      slowestRefusal = Math.max(slowestRefusal, ms);
      if (!disturbance.allows(status, startedAt, startedAt + ms))
        wrong.push(`${request.what}: ${status === 0 ? body : status} while nothing was disturbed`);
      return;
    }
    durations.push(ms);
    if (!request.isRight(status, body)) wrong.push(`${request.what}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
    else if (request.key) acknowledged.push(nameOf(request));
  };

  const memory = /** @type {number[][]} */ (gateways.map(() => []));
  const startedAt = performance.now();
  const sampling = setInterval(() => {
    if (performance.now() - startedAt < WARM_UP_SECONDS * 1000) return;
    gateways.forEach(({ pid }, index) => {
      const bytes = memoryBytes(pid);
      if (bytes) memory[index]?.push(bytes);
    });
  }, MEMORY_EVERY_MS);
  tell(`${rate} requests a second for ${values.minutes} minutes`);
  let sent = 0;
  await Promise.all([
    applyLoad({
      rate,
      signal: AbortSignal.timeout(seconds * 1000),
      next: () => ({ url: urls[sent++ % urls.length] ?? '', request: nextRequest() }),
      onOutcome,
    }),
    disturbance.run(),
  ]);
  clearInterval(sampling);

  // What was not acknowledged is sent again with its key until it is, as a client does.
  for (const request of unanswered) acknowledged.push(await insist(urls[0] ?? '', request));
  const lost = await withClient(databaseUrl, (client) => findLost(client, acknowledged));

  durations.sort((a, b) => a - b);
  const share = (/** @type {number} */ part) => (durations[Math.floor(durations.length * part)] ?? 0).toFixed(1);
  const lines = [
    `${sent} requests: ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
    `wrong answers: ${wrong.length}`,
    ...[...new Set(wrong)].slice(0, 10).map((text) => `  ${text}`),
    `times of answers: median ${share(0.5)} ms, p95 ${share(0.95)} ms, p99 ${share(0.99)} ms`,
    `slowest refusal: ${slowestRefusal.toFixed(0)} ms`,
    `acknowledged creations: ${acknowledged.length}, each with one token and one event: ${lost.length === 0}`,
    ...lost.slice(0, 10).map((text) => `  ${text}`),
    ...memory.map(
      (samples, index) => `memory of gateway ${index + 1}: ${samples.length < 4 ? 'too short to tell' : describeMemory(samples)}`,
    ),
    ...disturbance.describe(),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (wrong.length > 0 || lost.length > 0) process.exitCode = 1;
}

/** @type {(request: import('./operations.mjs').Request) => string} */
function nameOf({ body }) {
  const { name, variables } = /** @type {any} */ (body);
  return name ?? variables.input.name;
}

/** @type {(url: string, request: import('./operations.mjs').Request) => Promise<string>} */
async function insist(url, request) {
  for (let attempt = 0; attempt < MAX_RESENT; attempt += 1) {
    const { status, body } = await send(url, request);
    if (request.isRight(status, body)) return nameOf(request);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`A creation was not answered in ${MAX_RESENT} attempts.`);
}

/** Each name has one token and one event, and no token has none. @type {(client: import('pg').Client, names: string[]) => Promise<string[]>} */
async function findLost(client, names) {
  const { rows } = await client.query(
    `SELECT name, tokens, events FROM (
       SELECT name, count(*)::int AS tokens FROM public_signup_tokens GROUP BY 1
     ) AS tokens FULL JOIN (
       SELECT data ->> 'name' AS name, count(*)::int AS events FROM events WHERE type = 'public-signup-token-created' GROUP BY 1
     ) AS events USING (name)`,
  );
  const found = new Map(rows.map(({ name, tokens, events }) => [name, `${tokens} tokens, ${events} events`]));
  const once = '1 tokens, 1 events';
  return [
    ...names.filter((name) => found.get(name) !== once).map((name) => `acknowledged: ${found.get(name) ?? 'nothing there'}`),
    ...[...found.values()].filter((counts) => counts !== once),
  ];
}

/** @param {number[]} samples */
function describeMemory(samples) {
  const mean = (/** @type {number[]} */ part) => part.reduce((sum, bytes) => sum + bytes, 0) / Math.max(1, part.length);
  const half = Math.floor(samples.length / 2);
  const [first, second] = [mean(samples.slice(0, half)), mean(samples.slice(half))];
  const growth = ((second / first - 1) * 100).toFixed(1);
  return `${Math.round(first / 2 ** 20)} MB in the first half, ${Math.round(second / 2 ** 20)} MB in the second (${growth} %)`;
}

await withCleanUp(soak);
