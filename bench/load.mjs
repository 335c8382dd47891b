import autocannon from 'autocannon';
import { percentile } from './statistics.mjs';

/**
 * The load generator, a process of its own: `node load.mjs '{"request": …, "connections": …, "seconds": …}'` prints what it found as JSON.
 * @typedef {object} LoadResult
 * @property {number} requests how many were answered
 * @property {number} requestsPerSecond
 * @property {number} p50Ms
 * @property {number} p95Ms
 * @property {number} failed answers of another status, broken connections and timeouts
 * @property {number} sizeRange by how many bytes the largest answer was larger than the smallest one: an error that GraphQL answers with 200 is much smaller
 */

const { request, connections, seconds, status = 200 } = JSON.parse(process.argv[2] ?? '');
const { others, ...first } = request;

/** Latencies are kept one by one: autocannon's own histogram counts in whole milliseconds. @type {number[]} */
const latenciesMs = [];
const sizes = new Set();
let requests = 0;

const { pathname, search } = new URL(first.url);
const inTurn = others && { requests: [`${pathname}${search}`, ...others].map((path) => ({ ...first, path })) };
const run = autocannon({ ...first, ...inTurn, connections, duration: seconds });
run.on(
  'response',
  (
    /** @type {unknown} */ _client,
    /** @type {number} */ answered,
    /** @type {number} */ bytes,
    /** @type {number} */ latencyMs,
  ) => {
    if (answered === status) requests += 1;
    latenciesMs.push(latencyMs);
    sizes.add(bytes);
  },
);
const result = await run;

/** @type {LoadResult} */
const found = {
  requests,
  requestsPerSecond: requests / result.duration,
  p50Ms: percentile(latenciesMs, 0.5),
  p95Ms: percentile(latenciesMs, 0.95),
  failed: latenciesMs.length - requests + result.errors,
  sizeRange: Math.max(...sizes) - Math.min(...sizes),
};
process.stdout.write(JSON.stringify(found));
