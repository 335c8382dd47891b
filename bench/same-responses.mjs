import { strictEqual } from 'node:assert';
import { TOKEN } from './gateway.mjs';
import { withClient } from './postgres.mjs';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {{path: string, init: RequestInit}} Request */

const REQUESTS = 500;

/** Each request is sent this often. From the fourth time on, the gateway may return a kept response. */
const TIMES = 4;

/** Headers that are the same for the same log. */
const HEADERS = ['content-type', 'etag', 'cache-control', 'deprecation', 'vary'];

/** Events that are written in unusual ways. */
const ODD_EVENTS = `
  INSERT INTO events (type, created_by, created_at, feature_name, project, environment, data, pre_data, tags) VALUES
    ('feature-created', 'a "quoted" name', 'infinity', 'odd', 'p"1', NULL, '{"n":12345678901234567890.10}', NULL, '[]'),
    ('from-the-future', 'née\\n😀', '20000-01-01', 'odd', NULL, 'production', '"text"', '{"a":[1,{"b":null}]}', '[{"type":"simple","value":"x","color":"#fff"},7]'),
    ('feature-updated', 'x', '0044-03-15 BC', 'odd', 'p1', '', 'null', 'null', '{}'),
    ('feature-updated', 'x', '2026-01-01 00:00:00.1', 'odd', 'p1', NULL, '[]', '[]', NULL)`;

const EVENT =
  'fragment E on Event { id createdAt type typeName createdBy createdByUserId environment project featureName data preData }';
const DOCUMENTS = [
  `query ($filter: EventFilter, $n: Int!) { searchEvents(filter: $filter, limit: $n) { total version events { ...E tags { type value } } } } ${EVENT}`,
  `query ($filter: EventFilter, $n: Int!) { events(filter: $filter, first: $n) { totalCount edges { cursor node { ...E storedTags } } pageInfo { hasNextPage endCursor } } } ${EVENT}`,
  'query ($filter: EventFilter, $n: Int!) { events(filter: $filter, last: $n) { nodes { __typename id a: data b: createdAt } pageInfo { hasPreviousPage startCursor } } }',
  'query ($filter: EventFilter, $n: Int!) { x: events(filter: $filter, first: $n) { nodes { id } } y: searchEvents(filter: $filter, offset: $n) { total } viewer { name role } }',
  `query ($filter: EventFilter, $n: Int!, $yes: Boolean = true) { events(filter: $filter, first: $n) { nodes { ...E @include(if: $yes) ... on Event { tags { value } } } } } ${EVENT}`,
  'query ($filter: EventFilter, $n: Int!) { events(filter: $filter, first: $n, last: $n) { totalCount } }',
  'query ($n: Int!) { event(id: $n) { id typeName data } __typename }',
  'query ($n: Int!) { event(id: $n) { id nothing } }',
];

/**
 * Sends the same requests to two gateways on one database.
 * @param {string} databaseUrl @param {[Server, Server]} gateways
 * @returns {Promise<number>} the number of different requests
 * @throws AssertionError with the first response that differs
 */
export async function checkSameResponses(databaseUrl, [one, other]) {
  await withClient(databaseUrl, (client) => client.query(ODD_EVENTS));
  for (let times = 0; times < TIMES; times += 1)
    for (let n = 0; n < REQUESTS; n += 1) {
      const request = requestOf(n);
      const [expected, found] = await Promise.all([ask(one, request), ask(other, request)]);
      strictEqual(found, expected, `Response ${n} differs: ${request.path} ${request.init.body ?? ''}`);
    }
  return REQUESTS;
}

/** @type {(server: Server, request: Request) => Promise<string>} */
async function ask({ url }, { path, init }) {
  const response = await fetch(`${url}${path}`, init);
  const headers = HEADERS.map((name) => `${name}: ${response.headers.get(name)}`).join('\n');
  const body = (await response.text()).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>');
  return `${response.status}\n${headers}\n${body}`;
}

/** @type {(n: number) => Request} */
function requestOf(n) {
  const headers = { authorization: TOKEN, 'content-type': 'application/json' };
  const filter = filterOf(n);
  if (n % 5 === 0)
    return { path: `/api/admin/events/${encodeURIComponent(flagOf(n))}`, init: { headers: { authorization: TOKEN } } };
  if (n % 5 === 1)
    return { path: `/api/admin/search/events?${toParameters(n, filter)}`, init: { headers: { authorization: TOKEN } } };
  const query = DOCUMENTS[Math.floor(n / 5) % DOCUMENTS.length];
  const variables = { filter, n: n % 40 };
  if (n % 5 === 2) {
    const parameters = new URLSearchParams({ query: query ?? '', variables: JSON.stringify(variables) });
    return { path: `/graphql?${parameters}`, init: { headers: { authorization: TOKEN, 'apollo-require-preflight': 'true' } } };
  }
  return { path: '/graphql', init: { method: 'POST', headers, body: JSON.stringify({ query, variables }) } };
}

const flagOf = (/** @type {number} */ n) => (n % 3 === 0 ? 'odd' : n % 7 === 0 ? 'missing' : `feature-${n}`);

/** @type {(n: number) => Record<string, unknown>} */
function filterOf(n) {
  const filters = [
    {},
    { features: [flagOf(n)] },
    { projects: [`project-${n % 20}`, 'p1'] },
    { query: `Rollout ${n}` },
    { types: ['OTHER'] },
  ];
  return filters[(n % 7) % filters.length] ?? {};
}

/** @type {(n: number, filter: Record<string, unknown>) => URLSearchParams} */
function toParameters(n, { features, projects, query, types }) {
  const list = (/** @type {unknown} */ values) => `IS_ANY_OF:${/** @type {string[]} */ (values).join()}`;
  return new URLSearchParams({
    limit: String(n % 60),
    offset: String(n % 4 === 0 ? n : 0),
    ...(features !== undefined && { feature: list(features) }),
    ...(projects !== undefined && { project: list(projects) }),
    ...(query !== undefined && { query: String(query) }),
    ...(types !== undefined && { type: list(types) }),
  });
}
