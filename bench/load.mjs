import autocannon from 'autocannon';
import { percentile } from './statistics.mjs';

/**
 * The load generator, a separate process: `node load.mjs '{"request": …, "connections": …, "seconds": …}'` prints JSON.
 * @typedef {object} LoadResult
 * @property {number} requests number of requests with a response
 * @property {number} requestsPerSecond
 * @property {number} p50Ms
 * @property {number} p95Ms
 * @property {number} failed responses with another status, broken connections and timeouts
 * @property {number} sizeRange bytes between the largest and the smallest response: a GraphQL error with status 200 is much smaller
 */

const { request, connections, seconds, status = 200 } = JSON.parse(process.argv[2] ?? '');
const { others, ...first } = request;

/** Stores each latency, because autocannon's own histogram counts in whole milliseconds. @type {number[]} */
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
