import { assignCores } from '../bench/cores.mjs';
import { BUSY_FLAG } from '../bench/event-log.mjs';
import { measureOnce } from '../bench/measure-load.mjs';
import { connectionsTo, cpuMs, memoryBytes } from '../bench/proc.mjs';
import { median } from '../bench/statistics.mjs';
import { renderTable } from '../bench/table.mjs';
import { prepare, tell, waitForIndexes } from './prepare.mjs';
import { isSlowhttptestInstalled, startSlowClients } from './slow-clients.mjs';

/** Share of their rate that other clients must keep. */
const LEAST_SHARE = 0.9;
/** Share of the slow clients that must be connected. With fewer, the system does not allow as many connections. */
const LEAST_CONNECTED = 0.9;
const WARM_UP_SECONDS = 10;
/** Below this use of a core, the gateway has finished the work that the slow clients allow. */
const IDLE_CPU_MS_PER_SECOND = 60;
const MAX_WAIT_SECONDS = 60;

/** Budgets must not run out. */
const ENV = { GRAPHIQL: 'false', INTROSPECTION: 'false', GRAPHQL_COST_PER_MINUTE: '900000000' };

/**
 * Kinds of slow clients, with options of slowhttptest. Slow readers request ten thousand events each. They connect one after the
 * other, because all at once would be a flood. The gateway cuts off some of them because of their unread responses.
 * @type {import('./slow-clients.mjs').Slowness[]}
 */
const KINDS = [
  { name: 'slow headers', path: '/graphql', options: ['-H', '-t', 'POST', '-i', '2'], connectSeconds: 2 },
  {
    name: 'slow body',
    path: '/graphql',
    options: ['-B', '-t', 'POST', '-f', 'application/json', '-s', '100000', '-i', '2'],
    connectSeconds: 2,
  },
  {
    name: 'slow read',
    path: `/api/admin/events/${BUSY_FLAG}`,
    options: ['-X', '-w', '512', '-y', '1024', '-z', '32', '-n', '2'],
    connectSeconds: 50,
    isCutOff: true,
    isBusy: true,
  },
];

const HEAD = [
  'slow clients',
  'connected',
  'requests/s without',
  'beside them',
  'share',
  'p95 ms without',
  'beside them',
  'CPU ms each without',
  'beside them',
  'memory',
];

const pause = (/** @type {number} */ seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** @typedef {{requestsPerSecond: number, p95Ms: number, serverCpuMs: number | null}} Measured */
/** @typedef {Measured & {connected: number, left: number, bytes: number}} MeasuredWith left: connections at the end; bytes: memory of the gateway */

/**
 * @param {{clients: number, seconds: number, rounds: number, connections: number, events: number}} options
 * @returns {Promise<boolean>} whether other clients keep their rate
 */
export async function attackSlowly({ clients, seconds, rounds, connections, events }) {
  if (!isSlowhttptestInstalled()) {
    process.stderr.write('slowhttptest is not installed: apt-get install slowhttptest\n');
    process.exitCode = 2;
    return true;
  }
  const cores = assignCores();
  const { postgres, databaseUrl, log, viewer, serve } = await prepare({ events, env: ENV, pinned: cores });
  const gateway = await serve();
  await waitForIndexes(databaseUrl);

  const url = `${gateway.url}/api/admin/search/events?feature=IS:${log.flags[0]?.name}&limit=20`;
  const request = { url, method: /** @type {const} */ ('GET'), headers: { authorization: viewer } };
  const how = { databasePid: postgres.pid, pinned: cores.load, connections, seconds };
  const measure = (more = {}) => measureOnce({ name: 'pages', server: gateway, request }, { ...how, ...more });
  await measure({ seconds: WARM_UP_SECONDS });

  /** @param {import('./slow-clients.mjs').Slowness} kind @returns {Promise<MeasuredWith>} */
  const measureWith = async (kind) => {
    const countConnections = () => connectionsTo(Number(new URL(gateway.url).port)) ?? 0;
    const slow = startSlowClients(kind, { url: gateway.url, clients, token: viewer, pinned: cores.load });
    await pause(kind.connectSeconds);
    await waitUntilIdle(gateway.pid);
    const connected = countConnections();
    if (connected < (kind.isCutOff ? 1 : LEAST_CONNECTED * clients))
      throw new Error(`${kind.name}: only ${connected} of ${clients} are connected. More open files may be needed (ulimit -n).`);
    const measured = await measure();
    const bytes = memoryBytes(gateway.pid) ?? 0;
    const left = countConnections();
    await slow.stop();
    await waitUntilIdle(gateway.pid);
    return { ...measured, connected, left, bytes };
  };

  const results = [];
  for (const kind of KINDS) {
    const [without, beside] = [/** @type {Measured[]} */ ([]), /** @type {MeasuredWith[]} */ ([])];
    for (let round = 1; round <= rounds; round += 1) {
      tell(`${kind.name}, round ${round} of ${rounds}`);
      without.push(await measure());
      beside.push(await measureWith(kind));
    }
    results.push(summarize(kind.name, without, beside));
  }
  await gateway.stop();

  process.stdout.write(
    `${renderTable(
      HEAD,
      results.map(({ row }) => row),
    )}\n`,
  );
  return results.every(({ share }) => share >= LEAST_SHARE);
}

/** Waits until the gateway has finished all work that does not wait for slow clients. @param {number} pid of the gateway */
async function waitUntilIdle(pid) {
  for (let second = 0; second < MAX_WAIT_SECONDS; second += 1) {
    const before = cpuMs(pid) ?? 0;
    await pause(1);
    if ((cpuMs(pid) ?? 0) - before <= IDLE_CPU_MS_PER_SECOND) return;
  }
}

/**
 * Summarizes the rounds by their medians.
 * @type {(name: string, without: Measured[], beside: MeasuredWith[]) => {share: number, row: string[]}}
 */
function summarize(name, without, beside) {
  const rates = [without, beside].map((all) => median(all.map(({ requestsPerSecond }) => requestsPerSecond)));
  const p95s = [without, beside].map((all) => median(all.map(({ p95Ms }) => p95Ms)));
  const cpus = [without, beside].map((all) => median(all.map(({ serverCpuMs }) => serverCpuMs ?? 0)));
  const [rate = 0, rateBeside = 0] = rates;
  const share = rateBeside / rate;
  const connected = `${median(beside.map((one) => one.connected))}, ${median(beside.map((one) => one.left))} at the end`;
  const memory = `${Math.round(median(beside.map(({ bytes }) => bytes)) / 2 ** 20)} MB`;
  const [perSecond, p95Ms] = [rates.map((value) => value.toFixed(0)), p95s.map((ms) => ms.toFixed(1))];
  const cpuMs = cpus.map((ms) => ms.toFixed(2));
  return { share, row: [name, connected, ...perSecond, share.toFixed(2), ...p95Ms, ...cpuMs, memory] };
}
