import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { memoryBytes } from '../bench/proc.mjs';
import { renderTable } from '../bench/table.mjs';
import { readManifest } from './fairness.mjs';
import { ADMIN, addLargeFlag, prepare, tell, waitForIndexes } from './prepare.mjs';
import { LARGE_FLAG } from './ways.mjs';

/** The memory that one response may take, above the memory at rest. */
const MAX_BYTES = 150 * 2 ** 20;
const SAMPLE_MS = 20;
const REST_MS = 3_000;
const WARM_UP_PAGES = 100;
/** A slow client waits this long after each chunk. */
const SLOW_MS = 5;

const FLAG = `/api/admin/events/${LARGE_FLAG}`;
const QUERY = `{ featureEvents(featureName: "${LARGE_FLAG}") { events { id data preData } } }`;

/** @typedef {{status: number, text: string}} Received */

/** @type {{name: string, method: string, path: string, body?: string, isSlow?: boolean, isRight: (received: Received, events: number) => boolean}[]} */
const REQUESTS = [
  { name: 'REST', method: 'GET', path: FLAG, isRight: isWhole },
  { name: 'REST, read slowly', method: 'GET', path: FLAG, isSlow: true, isRight: isWhole },
  { name: 'HEAD', method: 'HEAD', path: FLAG, isRight: ({ status, text }) => status === 200 && text === '' },
  {
    name: 'GraphQL',
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query: QUERY }),
    isRight: ({ status, text }) => status === 400 && text.includes('events(filter, first, after)'),
  },
];

/** @param {Received} received @param {number} events */
function isWhole({ status, text }, events) {
  return status === 200 && JSON.parse(text).events.length === events;
}

/**
 * Reads a flag with half of the log's events. Each request goes to a gateway of its own, so that its memory is known.
 * @param {{events: number}} options
 * @returns {Promise<boolean>} whether every response is right, and takes little memory
 */
export async function attackWithLargeFlag({ events }) {
  const { env } = await readManifest();
  const { databaseUrl, serve } = await prepare({
    events: events / 2,
    env: { ...env, GRAPHIQL: 'false', GRAPHQL_COST_PER_MINUTE: '0' },
  });
  await addLargeFlag(databaseUrl);
  const rows = [];
  let isGood = true;
  for (const { name, isRight, ...wanted } of REQUESTS) {
    tell(name);
    const gateway = await serve();
    await waitForIndexes(databaseUrl);
    for (let page = 0; page < WARM_UP_PAGES; page += 1)
      await receive(gateway.url, { method: 'GET', path: '/api/admin/search/events?limit=50' });
    await setTimeout(REST_MS);
    const atRest = memoryBytes(gateway.pid) ?? 0;
    let peak = atRest;
    const sampling = setInterval(() => {
      peak = Math.max(peak, memoryBytes(gateway.pid) ?? 0);
    }, SAMPLE_MS);
    const startedAt = performance.now();
    const received = await receive(gateway.url, wanted);
    const seconds = (performance.now() - startedAt) / 1000;
    clearInterval(sampling);
    await gateway.stop();
    const right = isRight(received, events / 2);
    isGood &&= right && peak - atRest <= MAX_BYTES;
    const megabytes = [received.text.length, atRest, peak, peak - atRest].map((bytes) => (bytes / 2 ** 20).toFixed(0));
    rows.push([name, String(received.status), right ? 'yes' : 'no', seconds.toFixed(1), ...megabytes]);
  }
  process.stdout.write(
    `${renderTable(['request', 'status', 'right', 'seconds', 'response MB', 'memory at rest MB', 'peak MB', 'difference MB'], rows)}\n\n`,
  );
  return isGood;
}

/**
 * @param {string} url
 * @param {{method: string, path: string, body?: string, isSlow?: boolean}} wanted
 * @returns {Promise<Received>}
 */
function receive(url, { method, path, body, isSlow = false }) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: ADMIN, ...(body && { 'content-type': 'application/json' }) };
    const sent = request(`${url}${path}`, { method, headers }, async (response) => {
      try {
        const chunks = [];
        for await (const chunk of response) {
          chunks.push(chunk);
          if (isSlow) await setTimeout(SLOW_MS);
        }
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject).end(body);
  });
}
