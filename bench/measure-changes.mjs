import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createChangeCases } from './change-cases.mjs';
import { repositoryFile } from './child.mjs';
import { startGateway, TOKEN } from './gateway.mjs';
import { withClient } from './postgres.mjs';
import { sampleMemory } from './sample-memory.mjs';
import { percentile } from './statistics.mjs';

/** @typedef {import('./change-cases.mjs').ChangeCase} ChangeCase */
/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {{name: string, isHostile: boolean, characters: number, items: number, complete: boolean, compareP50Ms: number, compareP95Ms: number,
p50Ms: number, p95Ms: number, othersMs: number, responseBytes: number}} ChangeFigures characters: of both states; compare…: the comparison alone, in
this process; p50Ms, p95Ms: a request; othersMs: the longest small request meanwhile */
/** @typedef {{events: number, status: number, message: string, ms: number, othersMs: number, aboveRestBytes: number | null}} PageFigures a page of the
case that took longest */

/** @typedef {{cases: ChangeFigures[], page: PageFigures}} Comparisons */

/** Each event is requested once, because the gateway keeps responses. */
const WARM_UPS = 5;
const REQUESTS = { ordinary: 40, hostile: 10 };
const WATCHED = 3;
const PAGE = 20;

/** A response may be longer than its documents by at most its paths, whose length is limited, and the rest of its 200 items. */
const MAX_MORE_CHARACTERS = 150_000;
const MAX_ITEMS = 200;

const EVENT = 'query ($id: Int!) { event(id: $id) { changes { complete items { kind path pointer before after } } } }';
const EVENTS = `query ($flag: String!, $first: Int!) {
  events(filter: { features: [$flag] }, first: $first) { nodes { changes { complete items { kind path pointer before after } } } }
}`;

const ADD = `
  INSERT INTO events (type, created_by, feature_name, data, pre_data)
  SELECT 'feature-updated', 'ann', $1, $2::json, $3::jsonb FROM generate_series(1, $4::int)
  RETURNING id, length(pre_data::text) AS characters`;

/**
 * Measures the comparison of states that take long: alone in this process, and in requests, each for another event.
 * @param {{databaseUrl: string, pinned: string[]}} how databaseUrl: of a migrated database, to which the events are added
 * @param {(progress: string) => void} tell
 * @returns {Promise<Comparisons>}
 * @throws Error if a response is wrong or exceeds a limit
 */
export async function measureChanges({ databaseUrl, pinned }, tell) {
  const { findChanges } = await import(pathToFileURL(repositoryFile('dist/events/changes/find-changes.js')).href);
  const gateway = await startGateway(databaseUrl, pinned);
  const figures = [];
  let worst = { compareP95Ms: 0, name: '' };
  for (const one of createChangeCases()) {
    tell(`changes: ${one.name}`);
    const requests = one.isHostile ? REQUESTS.hostile : REQUESTS.ordinary;
    const ids = await addEvents(databaseUrl, one, WARM_UPS + requests + WATCHED);
    const compared = [];
    let expected;
    for (let run = 0; run < WARM_UPS + requests; run += 1) {
      const startedAt = performance.now();
      expected = findChanges(one.preData, one.data);
      if (run >= WARM_UPS) compared.push(performance.now() - startedAt);
    }
    const asked = await measureRequests(gateway, one, { ids, expected: toResponse(expected) });
    const { items, complete } = expected;
    const { name, isHostile, preData, data } = one;
    const found = { name, isHostile, characters: preData.length + data.length, items: items.length, complete };
    const compareP95Ms = percentile(compared, 0.95);
    figures.push({ ...found, compareP50Ms: percentile(compared, 0.5), compareP95Ms, ...asked });
    if (compareP95Ms > worst.compareP95Ms) worst = { compareP95Ms, name };
  }
  tell(`a page of ${PAGE} events: ${worst.name}`);
  const page = await measurePage(gateway, worst.name);
  await gateway.stop();
  return { cases: figures, page };
}

/** @typedef {{text: string} | null} Value */
/** @typedef {{items: {before: Value, after: Value}[], complete: boolean}} Changes */

/** @type {(changes: Changes) => object} */
const toResponse = ({ items, complete }) => {
  const parse = (/** @type {Value} */ value) => value && JSON.parse(value.text);
  return { complete, items: items.map((item) => ({ ...item, before: parse(item.before), after: parse(item.after) })) };
};

/** @type {(databaseUrl: string, one: ChangeCase, count: number) => Promise<number[]>} */
const addEvents = (databaseUrl, { name, data, preData }, count) =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(ADD, [name, data, preData, count]);
    if (rows[0].characters !== preData.length)
      throw new Error(`${name}: PostgreSQL stores ${rows[0].characters} characters of preData instead of ${preData.length}.`);
    return rows.map(({ id }) => id);
  });

/**
 * @param {Server} gateway
 * @param {ChangeCase} one
 * @param {{ids: number[], expected: object}} of
 */
async function measureRequests(gateway, one, { ids, expected }) {
  const ms = [];
  let responseBytes = 0;
  for (const [index, id] of ids.slice(0, -WATCHED).entries()) {
    const asked = await ask(gateway, EVENT, { id });
    if (index >= WARM_UPS) ms.push(asked.ms);
    responseBytes = asked.text.length;
    const { changes } = JSON.parse(asked.text).data?.event ?? {};
    if (!isDeepStrictEqual(changes, expected)) throw new Error(`${one.name}: the response is ${asked.text.slice(0, 500)}`);
    const excess = responseBytes - one.preData.length - one.data.length;
    if (changes.items.length > MAX_ITEMS || excess > MAX_MORE_CHARACTERS)
      throw new Error(`${one.name}: the response has ${changes.items.length} items and ${responseBytes} characters.`);
  }
  let othersMs = 0;
  for (const id of ids.slice(-WATCHED))
    othersMs = Math.max(othersMs, (await watchOthers(gateway, ask(gateway, EVENT, { id }))).othersMs);
  return { p50Ms: percentile(ms, 0.5), p95Ms: percentile(ms, 0.95), othersMs, responseBytes };
}

/** @type {(gateway: Server, name: string) => Promise<PageFigures>} */
async function measurePage(gateway, name) {
  const { result, aboveRestBytes } = await sampleMemory(gateway.pid, () =>
    watchOthers(gateway, ask(gateway, EVENTS, { flag: name, first: PAGE })),
  );
  const { asked, othersMs } = result;
  const message = JSON.parse(asked.text).errors?.[0]?.message ?? '';
  return { events: PAGE, status: asked.status, message, ms: asked.ms, othersMs, aboveRestBytes };
}

/**
 * Sends small requests until `response` has arrived.
 * @template T
 * @param {Server} gateway
 * @param {Promise<T>} response
 * @returns {Promise<{asked: T, othersMs: number}>} othersMs: the longest of the small requests
 */
async function watchOthers(gateway, response) {
  let isOver = false;
  const asked = response.finally(() => {
    isOver = true;
  });
  let othersMs = 0;
  while (!isOver) {
    const startedAt = performance.now();
    await (await fetch(`${gateway.url}/livez`)).text();
    othersMs = Math.max(othersMs, performance.now() - startedAt);
    await sleep(2);
  }
  return { asked: await asked, othersMs };
}

/** @type {(gateway: Server, query: string, variables: object) => Promise<{status: number, text: string, ms: number}>} */
async function ask({ url }, query, variables) {
  const startedAt = performance.now();
  const headers = { authorization: TOKEN, 'content-type': 'application/json' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const text = await response.text();
  return { status: response.status, text, ms: performance.now() - startedAt };
}
