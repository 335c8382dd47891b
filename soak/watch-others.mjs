import { memoryBytes } from '../bench/proc.mjs';
import { percentile } from '../bench/statistics.mjs';
import { applyLoad } from './load.mjs';
import { askForPage } from './operations.mjs';

/** Requests of other clients in a second. */
export const RATE = 20;
const LIVENESS_EVERY_MS = 100;

/** @typedef {{count: number, wrong: string[], p95Ms: number, maxMs: number, liveMaxMs: number, bytes: number}} Watched */

/**
 * Requests pages as other clients do, and watches liveness and memory.
 * @param {{gateway: import('../bench/child.mjs').Server, log: import('./operations.mjs').Log, token: string, ms: number}} others
 * @returns {Promise<Watched>}
 */
export async function watchOthers({ gateway, log, token, ms }) {
  /** @type {import('./load.mjs').Outcome[]} */
  const outcomes = [];
  let [liveMaxMs, bytes] = [0, 0];
  const end = new AbortController();
  const load = applyLoad({
    rate: RATE,
    signal: end.signal,
    next: () => ({ url: gateway.url, request: { what: 'page', ...askForPage(log, token) } }),
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  /** @type {Promise<void>[]} */
  const probes = [];
  const probe = async () => {
    const askedAt = performance.now();
    const isAlive = await fetch(`${gateway.url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
    liveMaxMs = Math.max(liveMaxMs, isAlive ? performance.now() - askedAt : Number.POSITIVE_INFINITY);
    bytes = Math.max(bytes, memoryBytes(gateway.pid) ?? 0);
  };
  const watching = setInterval(() => probes.push(probe()), LIVENESS_EVERY_MS);
  await new Promise((resolve) => setTimeout(resolve, ms));
  clearInterval(watching);
  end.abort();
  await Promise.all([load, ...probes]);
  const durations = outcomes.map((outcome) => outcome.ms);
  return {
    count: outcomes.length,
    wrong: outcomes.flatMap(({ request, status, body }) => (request.isRight(status, body) ? [] : [String(status || body)])),
    p95Ms: percentile(durations, 0.95),
    maxMs: Math.max(...durations),
    liveMaxMs,
    bytes,
  };
}
