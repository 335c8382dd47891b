import { Agent, request as httpRequest } from 'node:http';

/**
 * @typedef {object} Outcome
 * @property {import('./operations.mjs').Request} request
 * @property {string} url where it was sent
 * @property {number} status 0 without a response
 * @property {string | undefined} retryAfter
 * @property {any} body
 * @property {number} startedAt
 * @property {number} ms
 */

const agent = new Agent({ keepAlive: true, maxSockets: 200 });
/** A request that takes longer than this has hung. */
const TIMEOUT_MS = 30_000;

/**
 * Sends one request.
 * @param {string} url
 * @param {import('./operations.mjs').Request} request
 * @returns {Promise<Outcome>}
 */
export function send(url, request) {
  const startedAt = performance.now();
  const { path, method = 'GET', token, headers = {}, body } = request;
  return new Promise((resolve) => {
    /** @type {string | undefined} */
    let retryAfter;
    const end = (/** @type {number} */ status, /** @type {any} */ content) =>
      resolve({ request, url, status, retryAfter, body: content, startedAt, ms: performance.now() - startedAt });
    const sent = httpRequest(`${url}${path}`, {
      agent,
      method,
      timeout: TIMEOUT_MS,
      headers: {
        ...(token !== null && { authorization: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        accept: 'application/graphql-response+json, application/json;q=0.9',
        ...headers,
      },
    });
    sent.on('response', async (response) => {
      let text = '';
      retryAfter = response.headers['retry-after'];
      try {
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        end(response.statusCode ?? 0, text === '' ? {} : JSON.parse(text));
      } catch {
        // The response was cut off, or is a text of the balancer.
        end(0, `${response.statusCode} ${text.slice(0, 80)}`);
      }
    });
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', ({ message }) => end(0, message));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/**
 * Sends `rate` requests a second until `signal` aborts. It does not wait for responses, like independent clients.
 * @param {{rate: number, signal: AbortSignal, next: () => {url: string, request: import('./operations.mjs').Request}, onOutcome: (outcome: Outcome) => void}} options
 */
export async function applyLoad({ rate, signal, next, onOutcome }) {
  const startedAt = performance.now();
  const under = new Set();
  for (let sent = 0; !signal.aborted; ) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * rate);
    for (; sent < due; sent += 1) {
      const { url, request } = next();
      const running = send(url, request).then(onOutcome);
      under.add(running);
      void running.then(() => under.delete(running));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(under);
}
