import { register } from 'node:module';
import { parseArgs } from 'node:util';
import { withCleanUp } from '../bench/cleanup.mjs';
import { wholeNumber } from '../bench/options.mjs';
import { withClient } from '../bench/postgres.mjs';
import { DISTURBANCES } from './disturbances.mjs';
import { applyLoad, send } from './load.mjs';
import { createRequests } from './operations.mjs';
import { ADMIN, tell } from './prepare.mjs';
import { watchServers } from './servers.mjs';
import { buildStage } from './stage.mjs';
import { Tally } from './tally.mjs';

const USAGE = `Usage: npm run soak -- [--minutes N] [--rate N] [--events N] [--disturb none|database|gateway|roll] [--times N]
                       [--haproxy] [--pgbouncer] [--replica]
       npm run soak -- feed [options]   loses no event; \`npm run soak -- feed --help\` lists its options

Sends valid and invalid requests to two gateways on one PostgreSQL server. Compares each response with the correct one.

  --minutes N   duration (default 10)
  --rate N      requests a second (default 200)
  --events N    size of the log (default 100000)
  --disturb     database: stops PostgreSQL at once, and starts it again (default none)
                gateway:  kills one of the gateways, and starts it again
                roll:     replaces the gateways one after the other, behind haproxy
  --times N     number of disturbances (default 10)
  --haproxy     puts haproxy in front of the gateways
  --pgbouncer   puts pgbouncer between the gateways and PostgreSQL, in transaction mode
  --replica     adds a streaming replica to read from
`;

/** Allowed growth of memory from the first half to the second, in a run that is long enough to fill the caches. */
const MAX_GROWTH = 0.05;
const LONG_ENOUGH_SECONDS = 600;

/** Number of errors to show for each gateway. */
const MAX_SHOWN = 3;

/** Number of attempts to repeat a creation without a response. */
const MAX_RESENT = 200;

/** Parses the options. Returns null if it printed the usage instead. */
function parseOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      rate: { type: 'string', default: '200' },
      events: { type: 'string', default: '100000' },
      disturb: { type: 'string', default: 'none' },
      times: { type: 'string', default: '10' },
      haproxy: { type: 'boolean', default: false },
      pgbouncer: { type: 'boolean', default: false },
      replica: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return null;
  }
  if (!(values.disturb in DISTURBANCES)) throw new Error(`There is no disturbance ${values.disturb}.\n\n${USAGE}`);
  return {
    ...values,
    disturb: /** @type {keyof typeof DISTURBANCES} */ (values.disturb),
    seconds: 60 * wholeNumber('minutes', values.minutes, 1, 24 * 60, USAGE),
    rate: wholeNumber('rate', values.rate, 1, 10_000, USAGE),
    events: wholeNumber('events', values.events, 1000, 10_000_000, USAGE),
    times: wholeNumber('times', values.times, 1, 1000, USAGE),
  };
}

async function soak() {
  const options = parseOptions();
  if (!options) return;
  const { disturb, seconds, rate, events, times } = options;
  const stage = await buildStage({
    events,
    balanced: options.haproxy || disturb === 'roll',
    pooled: options.pgbouncer,
    replicated: options.replica,
  });
  const { log, viewer, urls, databaseUrl } = stage;
  const requests = createRequests(log, { admin: ADMIN, viewer });
  const disturbance = DISTURBANCES[disturb]({ ...stage, times, seconds, tell });
  const tally = new Tally(disturbance, requests.noteCreated);

  tell(`${rate} requests a second for ${seconds / 60} minutes`);
  const describeServers = watchServers(stage);
  let sent = 0;
  const next = () => ({ url: urls[sent++ % urls.length] ?? '', request: requests.next() });
  const signal = AbortSignal.timeout(seconds * 1000);
  await Promise.all([applyLoad({ rate, signal, next, onOutcome: (outcome) => tally.add(outcome) }), disturbance.run()]);
  const servers = describeServers(sent);

  // Repeats unacknowledged creations with their keys until they succeed, as a client does.
  for (const request of tally.unanswered) {
    await insist(urls[0] ?? '', request);
    tally.acknowledge(request);
  }
  const lost = await withClient(databaseUrl, (client) => findLost(client, tally.acknowledged));
  // A restarted server counts CPU time from zero.
  const isMeasured = disturb === 'none';
  const lines = [
    ...tally.describe(),
    `acknowledged creations: ${tally.acknowledged.length}, each with one token and one event: ${lost.length === 0}`,
    ...lost.slice(0, 10).map((text) => `  ${text}`),
    ...(isMeasured ? servers.lines : disturbance.describe()),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (tally.wrong.length > 0) process.stdout.write(stage.gateways.map(readErrors).join(''));
  const hasGrown = isMeasured && seconds >= LONG_ENOUGH_SECONDS && servers.growth > MAX_GROWTH;
  if (tally.wrong.length > 0 || lost.length > 0 || hasGrown) process.exitCode = 1;
}

/**
 * Returns the first errors in a gateway's log.
 * @type {(gateway: import('../bench/child.mjs').Server, index: number) => string}
 */
function readErrors(gateway, index) {
  const errors = gateway
    .readOutput()
    .split('\n')
    .filter((line) => line.startsWith('{"level":50'));
  return errors
    .slice(0, MAX_SHOWN)
    .map((line) => `gateway ${index + 1}: ${line}\n`)
    .join('');
}

/** @type {(url: string, request: import('./operations.mjs').Request) => Promise<void>} */
async function insist(url, request) {
  for (let attempt = 0; attempt < MAX_RESENT; attempt += 1) {
    const { status, body } = await send(url, request);
    if (request.isRight(status, body)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`A creation got no correct response in ${MAX_RESENT} attempts.`);
}

/**
 * Finds names without exactly one token and one event.
 * @type {(client: import('pg').Client, names: string[]) => Promise<string[]>}
 */
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
    ...names.filter((name) => found.get(name) !== once).map((name) => `acknowledged: ${found.get(name) ?? 'no token, no event'}`),
    ...[...found.values()].filter((counts) => counts !== once),
  ];
}

if (process.argv[2] === 'feed') {
  register('./typescript.mjs', import.meta.url);
  await withCleanUp(async () => (await import('./feed/run.mjs')).soakFeed(process.argv.slice(3)));
  // After a failure, writers that wait for a gateway would keep the process alive.
  process.exit();
} else await withCleanUp(soak);
