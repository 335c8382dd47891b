import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { send } from './send.mjs';

/** @typedef {import('./compare.mjs').Difference} Difference */
/** @typedef {import('./send.mjs').Request} Request */
/** @typedef {{request: Request, answers: {peer: import('./send.mjs').Answer, gateway: import('./send.mjs').Answer}, gateway: import('./options.mjs').Side, log: import('./requests.mjs').Log}} Context */
/** @typedef {(difference: Difference, context: Context) => boolean | Promise<boolean>} Rule */

const FLAG = '/api/admin/events/';
const SEARCH = '/api/admin/search/events?';
const WILDCARDS = /[%_\\]/;

/**
 * Rules that recognize the differences of docs/differences.md, by the name of the line. Each rule is narrow: it does not explain
 * a response that differs in any other way.
 * @type {Record<string, Rule>}
 */
const RULES = {
  'whole-history': ({ path, peer, gateway }, { request }) =>
    path === 'events' &&
    request.path.startsWith(FLAG) &&
    isDeepStrictEqual(peer, list(gateway).slice(0, 50)) &&
    list(gateway).length > 50,
  summaries: ({ path, gateway }) => /^events\[\]\.(label|summary|groupType|groupId)$/.test(path) && gateway === undefined,
  ties: ({ path }) => path === 'events of one moment',
  'literal-query': ({ path }, context) =>
    isSearchResult(path) && WILDCARDS.test(queryOf(context.request) ?? '') && isLiteral(context),
  'data-only': ({ path, peer }, context) =>
    isSearchResult(path) && isLiteral(context) && findsWithin(context, ['DATA', 'PRE_DATA', 'TAGS'], path, peer),
  'utc-days': ({ path }, { request, answers }) =>
    isSearchResult(path) && isWithinDays(parametersOf(request), answers.gateway.body.events),
  'exact-flag-name': ({ path }, { request, answers }) =>
    request.path.startsWith(FLAG) &&
    /^(toggleName|events|totalEvents)$/.test(path) &&
    isExactly(decodeURIComponent(request.path.slice(FLAG.length)), answers.gateway.body),
  'strict-paging': ({ path, peer, gateway }, { request }) =>
    path === 'status' && peer === 200 && gateway === 400 && !isPage(parametersOf(request)),
  'empty-filter': ({ path, peer, gateway }, { request }) =>
    path === 'status' && peer === 200 && gateway === 400 && /=IS(_ANY_OF)?:[, ]*(&|$)/.test(request.path),
  'no-server-error': ({ path, peer, gateway }) => path === 'status' && peer === 500 && gateway === 400,
  'one-error-body': ({ path, gateway }, { answers: { peer } }) =>
    peer.status >= 400 && peer.body?.id === undefined && /^(content-type|id|name)$/.test(path) && gateway !== undefined,
  'error-words': ({ path }, { answers: { peer } }) =>
    peer.status >= 400 && /^(message|details|type|path|defaultHidden)\b/.test(path),
  location: ({ path, gateway }) => path === 'location' && gateway === '/api/admin/invite-link/tokens/<secret>',
  'role-description': ({ path, peer }) => path === 'role.description' && peer === undefined,
  'users-in-full': ({ path, peer }) => path.startsWith('users[].') && peer === undefined,
  'expired-is-disabled': ({ path, peer, gateway }, { answers }) =>
    path === 'enabled' && peer === true && gateway === false && Date.parse(answers.gateway.body.expiresAt) < Date.now(),
  'no-cap': ({ path, gateway }, { request }) =>
    path === 'expiresAt' && request.body !== undefined && gateway === JSON.parse(request.body).expiresAt,
  'dead-invitation': ({ path, peer, gateway }, { request }) =>
    path === 'status' &&
    peer === 201 &&
    gateway === 400 &&
    Date.parse(JSON.parse(request.body ?? '{}').expiresAt) < Date.now() + 86_400_000,
  'name-is-a-text': ({ path, peer, gateway }, { request }) =>
    path === 'status' && peer === 201 && gateway === 400 && !isName(JSON.parse(request.body ?? '{}').name),
};

/**
 * @param {Difference} difference
 * @param {Context} context
 * @returns {Promise<string | undefined>} the name of the line that explains the difference
 */
export async function explain(difference, context) {
  for (const [name, rule] of Object.entries(RULES)) {
    if (await rule(difference, context)) return name;
  }
  return undefined;
}

/** @type {(value: unknown) => unknown[]} */
const list = (value) => /** @type {unknown[]} */ (value);

/** @type {(path: string) => boolean} */
const isSearchResult = (path) => path === 'events' || path === 'total';

/** @type {(request: Request) => URLSearchParams} */
const parametersOf = ({ path }) => new URLSearchParams(path.startsWith(SEARCH) ? path.slice(SEARCH.length) : '');

/** @type {(request: Request) => string | null} */
const queryOf = (request) => parametersOf(request).get('query');

/** @type {(text: string | null, least: number, most: number) => boolean} */
const isNumber = (text, least, most) => text === null || (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most);

/** @type {(parameters: URLSearchParams) => boolean} */
const isPage = (parameters) => isNumber(parameters.get('limit'), 1, 1000) && isNumber(parameters.get('offset'), 0, 2_147_483_647);

/**
 * Checks that all events of the gateway contain the text in `data`, and that none is missing if the whole log is available.
 * @type {(context: Context) => boolean}
 */
function isLiteral({ request, answers, log }) {
  const query = queryOf(request)?.toLowerCase();
  if (!query) return false;
  const has = (/** @type {{data: unknown}} */ { data }) => data !== null && JSON.stringify(data).toLowerCase().includes(query);
  const { events, total } = answers.gateway.body;
  if (!events.every(has)) return false;
  const isAlone = [...parametersOf(request).keys()].every((name) => ['query', 'limit', 'offset'].includes(name));
  return !isAlone || log.events.length < log.total || total === log.events.filter(has).length;
}

/** @type {(parameters: URLSearchParams, events: {createdAt: string}[]) => boolean} */
function isWithinDays(parameters, events) {
  const [from, to] = ['from', 'to'].map((name) => parameters.get(name)?.slice('IS:'.length));
  if (from === undefined && to === undefined) return false;
  return events.every(({ createdAt }) => createdAt.slice(0, 10) >= (from ?? '') && createdAt.slice(0, 10) <= (to ?? '9999'));
}

/** @type {(name: string, body: {toggleName: string, events: {featureName: string}[]}) => boolean} */
function isExactly(name, { toggleName, events }) {
  const isSplit = name.includes(',') || name !== name.trim();
  return isSplit && toggleName === name && events.every(({ featureName }) => featureName === name);
}

/** @type {(name: unknown) => boolean} */
const isName = (name) => typeof name === 'string' && name.trim() !== '';

const WIDER = `query ($filter: EventFilter, $offset: Int!, $limit: Int!) {
  searchEvents(filter: $filter, offset: $offset, limit: $limit) { total events { id } }
}`;

/**
 * Checks that the gateway returns the expected events or total when it searches the given fields.
 * @type {(context: Context, searchIn: string[], path: string, expected: unknown) => Promise<boolean>}
 */
async function findsWithin({ gateway, request }, searchIn, path, expected) {
  const query = queryOf(request);
  if (!query) return false;
  const parameters = parametersOf(request);
  const values = (/** @type {string} */ name) =>
    parameters
      .get(name)
      ?.replace(/^IS(_ANY_OF)?:/, '')
      .split(',')
      .map((value) => value.trim());
  const variables = {
    filter: {
      query,
      searchIn,
      features: values('feature'),
      projects: values('project'),
      typeNames: values('type'),
      createdByUserIds: values('createdBy')?.map(Number),
      from: values('from')?.[0],
      to: values('to')?.[0],
    },
    offset: Number(parameters.get('offset') ?? 0),
    limit: Number(parameters.get('limit') ?? 50),
  };
  const { body } = await send(gateway, {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: WIDER, variables }),
  });
  const { total, events } = body.data.searchEvents;
  if (path === 'total') return expected === total;
  // The order of events with the same time can differ.
  const sorted = (/** @type {unknown[]} */ ids) => ids.toSorted((a, b) => Number(a) - Number(b));
  return isDeepStrictEqual(sorted(list(expected)), sorted(events.map((/** @type {{id: number}} */ { id }) => id)));
}

const DOCUMENT = new URL('../docs/differences.md', import.meta.url);

/**
 * Reads the description of each difference from docs/differences.md.
 * @returns {Promise<Map<string, string>>}
 */
export async function readReasons() {
  const lines = (await readFile(DOCUMENT, 'utf8')).matchAll(/^\| `([\w-]+)` +\| (.*?) \|/gm);
  const reasons = new Map([...lines].map(([, name = '', what = '']) => [name, what.trim()]));
  const missing = Object.keys(RULES).filter((name) => !reasons.has(name));
  const idle = [...reasons.keys()].filter((name) => !(name in RULES));
  if (missing.length > 0) throw new Error(`docs/differences.md has no line for ${missing.join(', ')}.`);
  if (idle.length > 0) throw new Error(`docs/differences.md has lines without a rule: ${idle.join(', ')}.`);
  return reasons;
}
