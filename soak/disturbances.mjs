import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atEnd } from '../bench/cleanup.mjs';
import { freePort } from '../bench/postgres.mjs';

/**
 * @typedef {object} Disturbance
 * @property {string[]} [urls] where to send requests, instead of to the gateways
 * @property {() => Promise<void>} run
 * @property {(status: number, from: number, to: number) => boolean} allows whether a request of that time may be refused (503) or lost (0)
 * @property {() => string[]} describe
 */

/**
 * @typedef {object} Stage
 * @property {number} times
 * @property {number} seconds
 * @property {import('../bench/postgres.mjs').Postgres} postgres
 * @property {import('../bench/child.mjs').Server[]} gateways
 * @property {(index: number) => Promise<import('../bench/child.mjs').Server>} start
 * @property {number[]} ports
 * @property {(text: string) => void} tell
 */

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** How long the database stays away. */
const AWAY_MS = 3_000;
/** Within so long is everything served again. */
const RECOVERY_MS = 2_000;

/** @type {(kind: string, stage: Stage) => Promise<Disturbance>} */
export async function createDisturbance(kind, stage) {
  if (kind === 'none') return { run: async () => undefined, allows: () => false, describe: () => [] };
  if (kind === 'database') return killDatabase(stage);
  if (kind === 'gateway') return killGateways(stage);
  if (kind === 'roll') return rollGateways(stage);
  throw new Error(`--disturb ${kind} is none of none, database, gateway, roll.`);
}

/** Spans of time in which things may go wrong. */
function createSpans() {
  /** @type {{from: number, to: number}[]} */
  const spans = [];
  return {
    begin() {
      const span = { from: performance.now(), to: Number.POSITIVE_INFINITY };
      spans.push(span);
      return { end: (/** @type {number} */ graceMs) => (span.to = performance.now() + graceMs) };
    },
    overlap: (/** @type {number} */ from, /** @type {number} */ to) => spans.some((span) => from <= span.to && to >= span.from),
    get count() {
      return spans.length;
    },
  };
}

/** Does something as often as asked, spread over the time. @type {(stage: Stage, work: (n: number) => Promise<void>) => Promise<void>} */
async function spread({ times, seconds }, work) {
  const everyMs = (seconds * 1000) / (times + 1);
  for (let n = 0; n < times; n += 1) {
    const nextAt = performance.now() + everyMs;
    await work(n);
    await pause(Math.max(0, nextAt - performance.now()));
  }
}

/** @type {(stage: Stage) => Disturbance} */
function killDatabase(stage) {
  const { times, postgres, tell } = stage;
  const away = createSpans();
  return {
    run: () =>
      spread(stage, async (n) => {
        tell(`stopping PostgreSQL at once, ${n + 1} of ${times}`);
        const span = away.begin();
        await postgres.kill();
        await pause(AWAY_MS);
        await postgres.start();
        span.end(RECOVERY_MS);
      }),
    allows: (status, from, to) => status === 503 && away.overlap(from, to),
    describe: () => [
      `PostgreSQL stopped at once: ${away.count} times, for ${AWAY_MS / 1000} s each; 503 is right until ${RECOVERY_MS / 1000} s after its return`,
    ],
  };
}

/** @type {(stage: Stage) => Disturbance} */
function killGateways(stage) {
  const { times, gateways, start, tell } = stage;
  const down = createSpans();
  return {
    run: () =>
      spread(stage, async (n) => {
        const index = n % gateways.length;
        tell(`killing gateway ${index + 1}, ${n + 1} of ${times}`);
        const span = down.begin();
        await gateways[index]?.kill();
        gateways[index] = await start(index);
        span.end(0);
      }),
    // A gateway that is not there says nothing.
    allows: (status, from, to) => status === 0 && down.overlap(from, to),
    describe: () => [`gateways killed: ${down.count} times`],
  };
}

/** @type {(stage: Stage) => Promise<Disturbance>} */
async function rollGateways(stage) {
  const { times, gateways, start, ports, tell } = stage;
  const port = await startBalancer(ports);
  let count = 0;
  return {
    urls: [`http://127.0.0.1:${port}`],
    run: () =>
      spread(stage, async (n) => {
        const index = n % gateways.length;
        tell(`replacing gateway ${index + 1}, ${n + 1} of ${times}`);
        await gateways[index]?.stop();
        gateways[index] = await start(index);
        count += 1;
      }),
    allows: () => false,
    describe: () => [`gateways replaced behind haproxy: ${count} times`],
  };
}

/** @param {number[]} ports */
async function startBalancer(ports) {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'flag-admin-gateway-haproxy-'));
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 2s
  option httpchk GET /readyz
  option redispatch
  retries 3
frontend gateways
  bind 127.0.0.1:${port}
  default_backend gateways
backend gateways
  balance roundrobin
  default-server check inter 500ms fall 2 rise 1
${ports.map((to, index) => `  server gateway${index + 1} 127.0.0.1:${to}`).join('\n')}
`,
  );
  const haproxy = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' });
  const failed = new Promise((_, reject) =>
    haproxy.once('error', () => reject(new Error('haproxy is not installed: apt-get install haproxy'))),
  );
  atEnd(() => {
    haproxy.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await Promise.race([pause(2_000), failed]);
  return port;
}
