import { setTimeout as sleep } from 'node:timers/promises';
import { BUSY_FLAG } from './event-log.mjs';
import { memoryBytes } from './proc.mjs';
import { percentile } from './statistics.mjs';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {{events: number, bytes: number, ms: number, aboveIdleBytes: number | null, othersP95Ms: number}} StreamFigures */

const SAMPLE_MS = 20;

/**
 * Reads all events of a busy flag over REST, while another client requests small pages.
 * @param {Server} gateway newly started
 * @param {{token: string, flag: string}} of flag: of the small pages
 * @returns {Promise<StreamFigures>}
 */
export async function measureStream(gateway, { token, flag }) {
  const init = { headers: { authorization: token } };
  const askSmall = async () => (await fetch(`${gateway.url}/api/admin/search/events?feature=IS:${flag}&limit=50`, init)).text();
  for (let request = 0; request < 50; request += 1) await askSmall();
  const idle = memoryBytes(gateway.pid);

  let peak = idle;
  const sampling = setInterval(() => {
    peak = Math.max(peak ?? 0, memoryBytes(gateway.pid) ?? 0);
  }, SAMPLE_MS);
  let isOver = false;
  const startedAt = performance.now();
  const whole = readAll(`${gateway.url}/api/admin/events/${BUSY_FLAG}`, init).finally(() => {
    isOver = true;
  });
  /** @type {number[]} */
  const othersMs = [];
  while (!isOver) {
    const askedAt = performance.now();
    await askSmall();
    othersMs.push(performance.now() - askedAt);
    await sleep(SAMPLE_MS);
  }
  const { bytes, tail } = await whole;
  clearInterval(sampling);
  const events = Number(/"totalEvents":(\d+)}$/.exec(tail)?.[1]);
  if (!(events > 0)) throw new Error(`The events of ${BUSY_FLAG} ended with ${tail}`);
  return {
    events,
    bytes,
    ms: performance.now() - startedAt,
    aboveIdleBytes: idle === null || peak === null ? null : peak - idle,
    othersP95Ms: percentile(othersMs, 0.95),
  };
}

/** @type {(url: string, init: RequestInit) => Promise<{bytes: number, tail: string}>} */
async function readAll(url, init) {
  const { body } = await fetch(url, init);
  let bytes = 0;
  let tail = '';
  for await (const chunk of /** @type {AsyncIterable<Uint8Array>} */ (/** @type {unknown} */ (body))) {
    bytes += chunk.length;
    tail = (tail + Buffer.from(chunk.slice(-100)).toString('latin1')).slice(-100);
  }
  return { bytes, tail };
}
