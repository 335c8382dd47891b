import autocannon from 'autocannon';
import { allRequests } from './load-request.mjs';
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

/** @type {(request: ReturnType<typeof allRequests>[number]) => autocannon.Request} */
function toAutocannon({ url, ...rest }) {
  const { pathname, search } = new URL(url);
  return { ...rest, path: `${pathname}${search}` };
}

/** Stores each latency, because autocannon's own histogram counts in whole milliseconds. @type {number[]} */
const latenciesMs = [];
const sizes = new Set();
let answered = 0;

const requests = allRequests(request);
const [first] = requests;
if (!first) throw new Error('There is no request to send.');
let clients = 0;
const result = await autocannon({
  ...first,
  connections,
  duration: seconds,
  setupClient(client) {
    client.on('response', (statusCode, bytes, latencyMs) => {
      if (statusCode === status) answered += 1;
      latenciesMs.push(latencyMs);
      sizes.add(bytes);
    });
    if (requests.length === 1) return;
    // Each client begins at another value, so that two clients do not send the same request at nearly the same time.
    const start = Math.floor((clients++ * requests.length) / connections);
    client.setRequests([...requests.slice(start), ...requests.slice(0, start)].map(toAutocannon));
  },
});

/** @type {LoadResult} */
const found = {
  requests: answered,
  requestsPerSecond: answered / result.duration,
  p50Ms: percentile(latenciesMs, 0.5),
  p95Ms: percentile(latenciesMs, 0.95),
  failed: latenciesMs.length - answered + result.errors,
  sizeRange: Math.max(...sizes) - Math.min(...sizes),
};
process.stdout.write(JSON.stringify(found));
