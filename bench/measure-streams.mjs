import { setTimeout as sleep } from 'node:timers/promises';
import { addEvent } from './added-events.mjs';
import { openStream, receiveBySse, receiveByWebSocket, stopReadingWebSocket } from './feed-clients.mjs';
import { startGateway, TOKEN } from './gateway.mjs';
import { measureOnce } from './measure-load.mjs';
import { countStatements } from './measure-plans.mjs';
import { withClient } from './postgres.mjs';
import { connectionsTo, memoryBytes } from './proc.mjs';
import { median, percentile } from './statistics.mjs';

/** @typedef {{name: string, p50Ms: number, p99Ms: number, events: number}} DelayFigures */
/** @typedef {{aboveRestBytes: number | null, statementsPerSecond: number | null, rateShare: number, p95Ms: number, p95BesideMs: number}} IdleFigures */
/** @typedef {{resetMs: number | null, longestTransactionMs: number, aboveRestBytes: number | null}} StuckFigures */
/** @typedef {{delays: DelayFigures[], idle: IdleFigures, stuck: StuckFigures}} FeedFigures */

/** @typedef {{databaseUrl: string, statistics: string | null, databasePid: number, pinned: {server: string[], load: string[]}, connections: number,
seconds: number, rounds: number}} How statistics: the URL of the database with pg_stat_statements; null without the extension */

const DELAYED_EVENTS = 300;
/** Events come at any moment between two moves of the watermark. */
const MOST_PAUSE_MS = 200;
const ARRIVAL_TIMEOUT_MS = 30_000;

const STREAMS = 1_000;
const FILTERED_STREAMS = 200;
/** Each token has as many streams as it may have. */
const STREAM_TOKENS = Array.from({ length: 50 }, (_, n) => `stream-token-${n}`);
const OPENED_AT_ONCE = 50;
/** The time for two progress marks of each stream, and several lookups of its token. */
const IDLE_MS = 30_000;
const SETTLE_MS = 10_000;
const SAMPLE_MS = 250;

const STUCK_READERS = 15;
const STUCK_TIMEOUT_MS = 90_000;

/** The age of the oldest transaction of the gateway that is open at the moment. */
const LONGEST_TRANSACTION = `
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)) * 1000, 0)::float8 AS ms FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

/**
 * Measures the streams of the feed on a log that nobody else writes to.
 * @param {How} how
 * @param {(progress: string) => void} tell
 * @returns {Promise<FeedFigures>}
 */
export async function measureStreams(how, tell) {
  const env = { INIT_ADMIN_API_TOKENS: [TOKEN, ...STREAM_TOKENS].join(',') };
  const gateway = await startGateway(how.databaseUrl, how.pinned.server, env);
  tell('delay from the commit to the reader');
  const delays = await measureDelays(gateway, how.databaseUrl);
  const idle = await measureIdle(gateway, how, tell);
  await gateway.stop();
  tell('readers that stop reading');
  const other = await startGateway(how.databaseUrl, how.pinned.server, env);
  const stuck = await measureStuck(other, how.databaseUrl);
  await other.stop();
  return { delays, idle, stuck };
}

/** @typedef {import('./child.mjs').Server} Server */

/** @type {(gateway: Server, databaseUrl: string) => Promise<DelayFigures[]>} */
async function measureDelays({ url }, databaseUrl) {
  const readers = [
    { name: 'server-sent events', arrivals: /** @type {Map<number, number>} */ (new Map()), open: receiveBySse },
    { name: 'WebSocket', arrivals: /** @type {Map<number, number>} */ (new Map()), open: receiveByWebSocket },
  ];
  const open = await Promise.all(
    readers.map(({ arrivals, open }) => open(url, TOKEN, (id) => arrivals.set(id, performance.now()))),
  );
  const commits = await withClient(databaseUrl, async (client) => {
    /** @type {{id: number, at: number}[]} */
    const added = [];
    for (let n = 0; n < DELAYED_EVENTS; n += 1) {
      const { rows } = await addEvent(client);
      added.push({ id: rows[0].id, at: performance.now() });
      await sleep(Math.random() * MOST_PAUSE_MS);
    }
    return added;
  });
  const endsAt = performance.now() + ARRIVAL_TIMEOUT_MS;
  while (readers.some(({ arrivals }) => arrivals.size < commits.length) && performance.now() < endsAt) await sleep(SAMPLE_MS);
  for (const { close } of open) close();
  return readers.map(({ name, arrivals }) => {
    if (arrivals.size !== commits.length) throw new Error(`${name}: ${arrivals.size} of ${commits.length} events arrived.`);
    const delays = commits.map(({ id, at }) => (arrivals.get(id) ?? Number.NaN) - at);
    return { name, p50Ms: median(delays), p99Ms: percentile(delays, 0.99), events: commits.length };
  });
}

/** @type {(gateway: Server, how: How, tell: (progress: string) => void) => Promise<IdleFigures>} */
async function measureIdle(gateway, { databaseUrl, statistics, databasePid, pinned, connections, seconds, rounds }, tell) {
  const request = {
    url: `${gateway.url}/api/admin/search/events?feature=IS:flag-1&limit=20`,
    method: /** @type {const} */ ('GET'),
    headers: { authorization: TOKEN },
  };
  const measurePages = () =>
    measureOnce({ name: 'pages', server: gateway, request }, { databasePid, pinned: pinned.load, connections, seconds });
  tell('warming up pages');
  await measurePages();
  await sleep(SETTLE_MS);
  const rest = await sampleMemory(gateway.pid, SETTLE_MS);

  tell(`opening ${STREAMS} idle streams`);
  let streams = await openIdle(gateway.url);
  await sleep(SETTLE_MS);
  const before = await count(statistics, databaseUrl);
  const beside = await sampleMemory(gateway.pid, IDLE_MS);
  const after = await count(statistics, databaseUrl);

  const rates = { without: /** @type {number[]} */ ([]), beside: /** @type {number[]} */ ([]) };
  const p95s = { without: /** @type {number[]} */ ([]), beside: /** @type {number[]} */ ([]) };
  const note = async (/** @type {'without' | 'beside'} */ where) => {
    const { requestsPerSecond, p95Ms } = await measurePages();
    rates[where].push(requestsPerSecond);
    p95s[where].push(p95Ms);
  };
  for (let round = 1; round <= rounds; round += 1) {
    tell(`pages beside idle streams, round ${round} of ${rounds}`);
    await note('beside');
    for (const { close } of streams) close();
    await note('without');
    streams = round < rounds ? await openIdle(gateway.url) : [];
  }
  return {
    aboveRestBytes: rest === null || beside === null ? null : beside - rest,
    statementsPerSecond: before === null || after === null ? null : (after - before) / (IDLE_MS / 1000),
    rateShare: median(rates.beside) / median(rates.without),
    p95Ms: median(p95s.without),
    p95BesideMs: median(p95s.beside),
  };
}

/** @type {(statistics: string | null, databaseUrl: string) => Promise<number | null>} */
const count = async (statistics, databaseUrl) => (statistics ? countStatements(statistics, databaseUrl) : null);

/** Every fifth stream has a filter of its own. @type {(url: string) => Promise<{close: () => void}[]>} */
async function openIdle(url) {
  const streams = [];
  for (let first = 0; first < STREAMS; first += OPENED_AT_ONCE) {
    const open = Array.from({ length: OPENED_AT_ONCE }, (_, offset) => {
      const n = first + offset;
      const token = STREAM_TOKENS[n % STREAM_TOKENS.length] ?? '';
      const isFiltered = n % (STREAMS / FILTERED_STREAMS) === 0;
      const parameters = `after=now${isFiltered ? `&feature=IS:flag-${n}` : ''}`;
      return openStream(url, { token, parameters, format: n % 2 === 0 ? 'text/event-stream' : 'application/x-ndjson' });
    });
    streams.push(...(await Promise.all(open)));
  }
  return streams;
}

/** Returns the median of the memory. @type {(pid: number, ms: number) => Promise<number | null>} */
async function sampleMemory(pid, ms) {
  const samples = [];
  for (const endsAt = performance.now() + ms; performance.now() < endsAt; ) {
    const bytes = memoryBytes(pid);
    if (bytes === null) return null;
    samples.push(bytes);
    await sleep(SAMPLE_MS);
  }
  return median(samples);
}

/** @type {(gateway: Server, databaseUrl: string) => Promise<StuckFigures>} */
async function measureStuck({ url, pid }, databaseUrl) {
  const port = Number(new URL(url).port);
  const rest = await sampleMemory(pid, SETTLE_MS);
  const stuck = await Promise.all(
    Array.from({ length: STUCK_READERS }, async (_, n) => {
      const token = STREAM_TOKENS[n] ?? '';
      if (n % 3 === 2) return stopReadingWebSocket(url, token);
      const format = n % 3 === 0 ? 'text/event-stream' : 'application/x-ndjson';
      const stream = await openStream(url, { token, parameters: 'after=start', format });
      stream.stopReading();
      return stream;
    }),
  );
  const startedAt = performance.now();
  if ((connectionsTo(port) ?? STUCK_READERS) < STUCK_READERS) throw new Error('Not all readers are connected.');
  let [longestTransactionMs, peak] = [0, 0];
  let resetMs = null;
  await withClient(databaseUrl, async (client) => {
    while (performance.now() - startedAt < STUCK_TIMEOUT_MS) {
      longestTransactionMs = Math.max(longestTransactionMs, (await client.query(LONGEST_TRANSACTION)).rows[0].ms);
      peak = Math.max(peak, memoryBytes(pid) ?? 0);
      if (connectionsTo(port) === 0) {
        resetMs = performance.now() - startedAt;
        return;
      }
      await sleep(SAMPLE_MS);
    }
  });
  for (const { close } of stuck) close();
  return { resetMs, longestTransactionMs, aboveRestBytes: rest === null || peak === 0 ? null : peak - rest };
}
