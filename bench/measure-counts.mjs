import { isDeepStrictEqual } from 'node:util';
import { addRows, COUNT_CASES, sinceOf, toExpected, toNaiveSql, toSeen } from './count-cases.mjs';
import { startGateway, TOKEN } from './gateway.mjs';
import { withClient } from './postgres.mjs';
import { median, percentile } from './statistics.mjs';

/** @typedef {import('./count-cases.mjs').CountCase} CountCase */
/** @typedef {import('./count-cases.mjs').CountRow} CountRow */
/** @typedef {{name: string, events: number, firstMs: number, againP50Ms: number, againP95Ms: number, naiveMs: number}} CountFigures events: counted
by the last request. firstMs: the median over new gateways. againP50Ms, againP95Ms: each time after new events */
/** @typedef {{kinds: CountFigures[], pageP50Ms: number, pageP95Ms: number}} Counts pageP50Ms, pageP95Ms: of a page of one event, requested once before the counts of each turn */

const FIRST_TIMES = 3;
/** Turns before the measured ones. Node.js compiles hot code within some thousand requests, and a turn has a dozen requests. */
export const WARM_UPS = 100;
export const TURNS = 50;
export const ADDED_EVENTS = 100;

/** Adds events after the last one of the log. Each has another type, project and flag than the one before, and comes 10 seconds later. */
const ADD = `
  INSERT INTO events (created_at, type, created_by, created_by_user_id, environment, project, feature_name, data)
  SELECT to_timestamp($1::float8 / 1000) + n * interval '10 seconds', (ARRAY['feature-created', 'feature-updated', 'feature-archived'])[1 + n % 3],
    'user-' || n % 7 || '@example.com', n % 7, (ARRAY['development', 'production', NULL])[1 + n % 3], 'project-' || n % 20, 'added-flag-' || n % 11,
    '{"name":"flexibleRollout","disabled":false}'
  FROM generate_series($2::int, $3::int) AS n`;

/** @typedef {{lastId: number, lastMs: number}} LogEnd */

/**
 * Counts the events of a log: the first time by several new gateways, then again and again after new events. Compares each response with a
 * naive count.
 * @param {{databaseUrl: string, pinned: string[]}} how
 * @param {(progress: string) => void} tell
 * @returns {Promise<Counts>}
 * @throws Error if a number is wrong
 */
export function measureCounts({ databaseUrl, pinned }, tell) {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      'SELECT max(id) AS "lastId", round(extract(epoch FROM max(created_at)) * 1000)::float8 AS "lastMs" FROM events',
    );
    const end = /** @type {LogEnd} */ (rows[0]);
    const count = async (/** @type {CountCase} */ one, /** @type {number} */ after, turn = 0) =>
      /** @type {CountRow[]} */ ((await client.query(toNaiveSql(one), [after, sinceOf(one, end.lastMs, turn)])).rows);

    tell('naive counts');
    /** @type {{result: CountRow[], ms: number}[]} */
    const naive = [];
    for (const one of COUNT_CASES) naive.push(await timed(() => count(one, 0)));
    const firsts = await measureFirsts({ databaseUrl, pinned, end, naive: naive.map(({ result }) => result) }, tell);

    tell(`${WARM_UPS + TURNS} times ${ADDED_EVENTS} new events`);
    const agains = COUNT_CASES.map(() => /** @type {number[]} */ ([]));
    const totals = COUNT_CASES.map(() => 0);
    const pages = [];
    for (let turn = 1; turn <= WARM_UPS + TURNS; turn += 1) {
      const isMeasured = turn > WARM_UPS;
      await client.query(ADD, [end.lastMs, (turn - 1) * ADDED_EVENTS + 1, turn * ADDED_EVENTS]);
      await requestPage(firsts.gateway.url);
      const page = await timed(() => requestPage(firsts.gateway.url));
      if (isMeasured) pages.push(page.ms);
      const responses = [];
      for (const one of COUNT_CASES)
        responses.push({ one, ...(await ask(firsts.gateway.url, one, sinceOf(one, end.lastMs, turn))) });
      // The responses are compared after the last request of the turn, so that this work does not slow the next request.
      for (const [index, { one, ms, result }] of responses.entries()) {
        const counted = one.moves ? await count(one, 0, turn) : addRows(naive[index]?.result ?? [], await count(one, end.lastId));
        expectCounts(`${one.name}, after ${turn * ADDED_EVENTS} new events`, result, counted);
        if (isMeasured) agains[index]?.push(ms);
        totals[index] = result.total;
      }
    }
    await firsts.gateway.stop();
    const kinds = COUNT_CASES.map(({ name }, index) => ({
      name,
      events: totals[index] ?? 0,
      firstMs: median(firsts.ms.map((each) => each[index] ?? Number.NaN)),
      againP50Ms: median(agains[index] ?? []),
      againP95Ms: percentile(agains[index] ?? [], 0.95),
      naiveMs: naive[index]?.ms ?? Number.NaN,
    }));
    return { kinds, pageP50Ms: median(pages), pageP95Ms: percentile(pages, 0.95) };
  });
}

/**
 * @param {{databaseUrl: string, pinned: string[], end: LogEnd, naive: CountRow[][]}} how
 * @param {(progress: string) => void} tell
 * @returns {Promise<{gateway: import('./child.mjs').Server, ms: number[][]}>} gateway: the last one, which still runs; ms: of each gateway and case
 */
async function measureFirsts({ databaseUrl, pinned, end, naive }, tell) {
  const ms = [];
  for (let time = 1; ; time += 1) {
    tell(`first counts of gateway ${time} of ${FIRST_TIMES}`);
    const gateway = await startGateway(databaseUrl, pinned);
    await requestPage(gateway.url);
    const each = [];
    for (const [index, one] of COUNT_CASES.entries()) {
      const asked = await ask(gateway.url, one, sinceOf(one, end.lastMs, 0));
      expectCounts(`${one.name}, the first time`, asked.result, naive[index] ?? []);
      each.push(asked.ms);
    }
    ms.push(each);
    if (time === FIRST_TIMES) return { gateway, ms };
    await gateway.stop();
  }
}

/** Requests a page of one event and the total of the log. @type {(url: string) => Promise<string>} */
const requestPage = async (url) =>
  (await fetch(`${url}/api/admin/search/events?limit=1`, { headers: { authorization: TOKEN } })).text();

/**
 * Requests counts. The time ends with the last byte of the response, which is not compressed, as in the other measurements.
 * @type {(url: string, one: CountCase, since: number | null) => Promise<{result: Parameters<typeof toSeen>[0], ms: number}>}
 */
async function ask(url, { name, parameters }, since) {
  const range = since === null ? {} : { since: new Date(since).toISOString() };
  const query = new URLSearchParams({ ...parameters, ...range });
  const headers = { authorization: TOKEN, 'accept-encoding': 'identity' };
  const { result, ms } = await timed(async () => {
    const response = await fetch(`${url}/v1/events/counts?${query}`, { headers });
    return { isOk: response.ok, text: await response.text() };
  });
  if (!result.isOk) throw new Error(`${name}: the gateway responded with ${result.text}`);
  return { result: JSON.parse(result.text), ms };
}

/** @type {(what: string, response: Parameters<typeof toSeen>[0], naive: CountRow[]) => void} */
function expectCounts(what, response, naive) {
  const [seen, expected] = [toSeen(response), toExpected(naive)];
  if (isDeepStrictEqual(seen, expected)) return;
  const differing = (/** @type {string[]} */ rows, /** @type {string[]} */ others) =>
    rows.filter((row) => !others.includes(row)).slice(0, 5);
  throw new Error(`${what}: counted ${seen.total} events, a naive count has ${expected.total}.
Wrong: ${differing(seen.rows, expected.rows).join(' ')}
Missing: ${differing(expected.rows, seen.rows).join(' ')}`);
}

/**
 * @template T
 * @param {() => Promise<T>} work
 */
async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}
