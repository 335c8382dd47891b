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

Two gateways on one PostgreSQL server, and requests of all kinds to both, wrong ones too. Each answer is compared with the right one.

  --minutes N   how long (default 10)
  --rate N      requests a second (default 200)
  --events N    size of the log (default 100000)
  --disturb     database: the server is stopped at once, and started again (default none)
                gateway:  one of the gateways is killed, and started again
                roll:     the gateways are replaced one after the other, behind haproxy
  --times N     how often (default 10)
  --haproxy     in front of the gateways
  --pgbouncer   between them and the server, in transaction mode
  --replica     a streaming replica to read from
`;

/** The memory of the second half may be so much more than that of the first, once there was time for caches to fill. */
const MAX_GROWTH = 0.05;
const LONG_ENOUGH_SECONDS = 600;

/** So many errors of each gateway are shown. */
const MAX_SHOWN = 3;

/** So many times is an unanswered creation sent again. */
const MAX_RESENT = 200;

/** Null if the usage was printed instead. */
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
  if (!(values.disturb in DISTURBANCES)) throw new Error(`--disturb ${values.disturb} is not known.\n\n${USAGE}`);
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

  // What was not acknowledged is sent again with its key until it is, as a client does.
  for (const request of tally.unanswered) {
    await insist(urls[0] ?? '', request);
    tally.acknowledge(request);
  }
  const lost = await withClient(databaseUrl, (client) => findLost(client, tally.acknowledged));
  // A server that was started anew began to count again.
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

/** What a gateway that runs still has answered for, from its log. @type {(gateway: import('../bench/child.mjs').Server, index: number) => string} */
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

await withCleanUp(soak);
