import { repositoryFile, run } from './child.mjs';
import { cpuMs, familyCpuMs } from './proc.mjs';
import { median, medianIfKnown } from './statistics.mjs';

/** @typedef {import('./cases.mjs').Case} Case */
/** @typedef {import('./load.mjs').LoadResult} LoadResult */

/**
 * @typedef {object} LoadFigures medians over the rounds
 * @property {string} name
 * @property {number} requests number of responses in all rounds
 * @property {number} requestsPerSecond
 * @property {number} p50Ms
 * @property {number} p95Ms
 * @property {number | null} serverCpuMs per request; null if the system does not report it
 * @property {number | null} databaseCpuMs per request, of all PostgreSQL processes
 */

/** Headers contain seconds and the remaining budget, with a varying number of digits. */
const MAX_SIZE_RANGE = 20;

/** Node compiles hot code within some thousand requests. The slower servers need this long for them. */
const WARM_UP_SECONDS = 8;

/**
 * Puts the cases under load in turn, round by round, so that a disturbance of the machine affects all of them.
 * @param {Case[]} cases
 * @param {{databasePid: number, pinned: string[], connections: number, seconds: number, rounds: number}} how
 * @param {(progress: string) => void} tell
 * @returns {Promise<LoadFigures[]>}
 */
export async function measureLoad(cases, how, tell) {
  for (const one of cases) {
    tell(`warming up: ${one.name}`);
    await measureOnce(one, { ...how, seconds: WARM_UP_SECONDS });
  }
  const measured = cases.map((one) => ({ one, samples: /** @type {Sample[]} */ ([]) }));
  for (let round = 1; round <= how.rounds; round += 1) {
    for (const { one, samples } of measured) {
      tell(`round ${round} of ${how.rounds}: ${one.name}`);
      samples.push(await measureOnce(one, how));
    }
  }
  return measured.map(({ one, samples }) => ({
    name: one.name,
    requests: samples.reduce((sum, { requests }) => sum + requests, 0),
    requestsPerSecond: median(samples.map((sample) => sample.requestsPerSecond)),
    p50Ms: median(samples.map(({ p50Ms }) => p50Ms)),
    p95Ms: median(samples.map(({ p95Ms }) => p95Ms)),
    serverCpuMs: medianIfKnown(samples.map((sample) => sample.serverCpuMs)),
    databaseCpuMs: medianIfKnown(samples.map((sample) => sample.databaseCpuMs)),
  }));
}

/** @typedef {LoadResult & {serverCpuMs: number | null, databaseCpuMs: number | null}} Sample */

/**
 * @param {Pick<Case, 'name' | 'server' | 'request'>} one
 * @param {{databasePid: number, pinned: string[], connections: number, seconds: number, status?: number}} how
 */
export async function measureOnce({ name, server, request }, { databasePid, pinned, connections, seconds, status = 200 }) {
  const cpu = () => ({ server: cpuMs(server.pid), database: familyCpuMs(databasePid) });
  const before = cpu();
  const argument = JSON.stringify({ request, connections, seconds, status });
  const { stdout } = await run([...pinned, process.execPath, repositoryFile('bench/load.mjs'), argument]);
  const after = cpu();

  const result = /** @type {LoadResult} */ (JSON.parse(stdout));
  if (result.failed > 0) throw new Error(`${name}: ${result.failed} requests failed.`);
  if (!request.others && result.sizeRange > MAX_SIZE_RANGE)
    throw new Error(`${name}: the responses to one request differ by ${result.sizeRange} bytes.`);
  return {
    ...result,
    serverCpuMs: perRequest(before.server, after.server, result.requests),
    databaseCpuMs: perRequest(before.database, after.database, result.requests),
  };
}

/** @type {(before: number | null, after: number | null, requests: number) => number | null} */
function perRequest(before, after, requests) {
  return before === null || after === null ? null : (after - before) / requests;
}
