import { repositoryFile, run } from './child.mjs';
import { cpuMs, familyCpuMs } from './proc.mjs';
import { median, medianIfKnown } from './statistics.mjs';

/** @typedef {import('./page-cases.mjs').Case} Case */
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
const HEADER_RANGE = 20;

/**
 * Puts the cases under load in turn, round by round, so that a disturbance of the machine affects all of them.
 * @param {(Case & {warmUpSeconds: number, sizeRange: number})[]} cases sizeRange: expected difference in bytes between the largest and the
 * smallest body
 * @param {{databasePid: number, pinned: string[], connections: number, seconds: number, rounds: number}} how
 * @param {(progress: string) => void} tell
 * @returns {Promise<LoadFigures[]>}
 */
export async function measureLoad(cases, how, tell) {
  for (const one of cases) {
    tell(`warming up: ${one.name}`);
    await measureOnce(one, { ...how, seconds: one.warmUpSeconds });
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
 * @param {Pick<Case, 'name' | 'server' | 'request'> & {sizeRange?: number}} one sizeRange: without it, only the sizes of
 * responses to the same request are checked
 * @param {{databasePid: number, pinned: string[], connections: number, seconds: number, status?: number}} how
 */
export async function measureOnce(one, how) {
  const { name, server, request, sizeRange = isRepeated(one.request) ? 0 : Number.POSITIVE_INFINITY } = one;
  const { databasePid, pinned, connections, seconds, status = 200 } = how;
  const cpu = () => ({ server: cpuMs(server.pid), database: familyCpuMs(databasePid) });
  const before = cpu();
  const argument = JSON.stringify({ request, connections, seconds, status });
  const { stdout } = await run([...pinned, process.execPath, repositoryFile('bench/load.mjs'), argument]);
  const after = cpu();

  const result = /** @type {LoadResult} */ (JSON.parse(stdout));
  if (result.failed > 0) throw new Error(`${name}: ${result.failed} requests failed.`);
  if (result.sizeRange > sizeRange + HEADER_RANGE)
    throw new Error(`${name}: the sizes of the responses differ by ${result.sizeRange} bytes instead of ${sizeRange}.`);
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

/** @type {(request: import('./load-request.mjs').LoadRequest) => boolean} */
const isRepeated = ({ values }) => values === undefined || values.length === 1;
