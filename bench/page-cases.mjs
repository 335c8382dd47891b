import { deepStrictEqual } from 'node:assert';
import { allRequests } from './load-request.mjs';

/**
 * The requests for a page of events of one flag with their total, to each server.
 * @typedef {import('./child.mjs').Server} Server
 * @typedef {import('./load-request.mjs').LoadRequest} LoadRequest
 * @typedef {'all fields' | 'three fields'} Fields
 * @typedef {{name: string, server: Server, request: LoadRequest, toResult: (body: any) => Result}} Case
 * @typedef {{events: Record<string, unknown>[], total: number}} Result the body in the form of REST
 * @typedef {{bare?: Server, gateway?: Server, postgraphile?: Server | null, stockApollo?: Server}} Servers
 * @typedef {{limit: number, fields: Fields, flags: string[], token: string}} Page flags: requested in turn
 */

export const BARE = 'node:http and pg alone';
export const JSON_AGG = 'node:http and json_agg';
export const REST = 'this gateway, REST';
export const GRAPHQL = 'this gateway, GraphQL';
export const POSTGRAPHILE = 'PostGraphile';
export const STOCK_APOLLO = 'Apollo standalone and Prisma';

const JSON_BODY = { 'content-type': 'application/json' };

const GATEWAY_FIELDS = {
  'all fields':
    'id createdAt typeName createdBy createdByUserId environment project featureName data preData tags { type value }',
  'three fields': 'id createdAt typeName',
};

/** PostGraphile calls the column `id` `rowId`, because its own `id` is a global one. */
const POSTGRAPHILE_FIELDS = {
  'all fields': 'id: rowId createdAt type createdBy createdByUserId environment project featureName data preData tags',
  'three fields': 'id: rowId createdAt type',
};

/** @type {(fields: Fields) => string} */
const gatewayQuery = (fields) => `query ($filter: EventFilter, $limit: Int!) {
  searchEvents(filter: $filter, limit: $limit) { events { ${GATEWAY_FIELDS[fields]} } total }
}`;

/** @type {(fields: Fields) => string} */
const postgraphileQuery = (fields) => `query ($flag: String!, $limit: Int!) {
  allEvents(condition: { featureName: $flag }, first: $limit, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
    nodes { ${POSTGRAPHILE_FIELDS[fields]} } totalCount
  }
}`;

/**
 * Creates a case for each server that can respond with the page. REST has all fields only.
 * @param {Servers} servers
 * @param {Page} page
 * @returns {Case[]}
 */
export function createPageCases(servers, page) {
  const { bare, gateway, postgraphile, stockApollo } = servers;
  return [
    ...(bare ? bareCases(bare, page) : []),
    ...(gateway ? gatewayCases(gateway, page) : []),
    ...(postgraphile ? [postgraphileCase(postgraphile, page)] : []),
    ...(stockApollo ? [stockApolloCase(stockApollo, page)] : []),
  ];
}

/** @type {(server: Server, page: Page) => Case[]} */
function bareCases(server, { limit, fields, flags }) {
  const ask = (/** @type {string} */ name, /** @type {string} */ path) =>
    toCase({
      name,
      server,
      flags,
      request: { url: `${server.url}${path}?feature={value}&limit=${limit}`, method: 'GET', headers: {} },
      toResult: (body) => body,
    });
  if (fields === 'three fields') return [ask(BARE, '/three')];
  return [ask(BARE, '/'), ask(JSON_AGG, '/text')];
}

/** @type {(server: Server, page: Page) => Case[]} */
function gatewayCases(server, { limit, fields, flags, token }) {
  const rest = toCase({
    name: REST,
    server,
    flags,
    request: {
      url: `${server.url}/api/admin/search/events?feature=IS:{value}&limit=${limit}`,
      method: 'GET',
      headers: { authorization: token },
    },
    toResult: (body) => body,
  });
  const graphql = toCase({
    name: GRAPHQL,
    server,
    flags,
    request: graphqlRequest(`${server.url}/graphql`, gatewayQuery(fields), searchVariables(limit), { authorization: token }),
    toResult: fromSearchEvents,
  });
  return fields === 'three fields' ? [graphql] : [rest, graphql];
}

/** @type {(server: Server, page: Page) => Case} */
function stockApolloCase(server, { limit, fields, flags }) {
  const request = graphqlRequest(`${server.url}/`, gatewayQuery(fields), searchVariables(limit));
  return toCase({ name: STOCK_APOLLO, server, flags, request, toResult: fromSearchEvents });
}

/** @type {(server: Server, page: Page) => Case} */
function postgraphileCase(server, { limit, fields, flags }) {
  const request = graphqlRequest(`${server.url}/graphql`, postgraphileQuery(fields), { flag: '{value}', limit });
  return toCase({ name: POSTGRAPHILE, server, flags, request, toResult: fromAllEvents });
}

const searchVariables = (/** @type {number} */ limit) => ({ filter: { features: ['{value}'] }, limit });

/** @type {(url: string, query: string, variables: object, headers?: Record<string, string>) => LoadRequest} */
const graphqlRequest = (url, query, variables, headers = {}) => ({
  url,
  method: 'POST',
  headers: { ...JSON_BODY, ...headers },
  body: JSON.stringify({ query, variables }),
});

/** @type {(one: Case & {flags: string[]}) => Case} */
function toCase({ name, server, flags, request, toResult }) {
  return { name, server, request: { ...request, values: flags }, toResult };
}

/** @param {{data: {searchEvents: {events: {typeName: string}[], total: number}}}} body @returns {Result} */
function fromSearchEvents({ data: { searchEvents } }) {
  const { events, total } = searchEvents;
  return { events: events.map(({ typeName, ...event }) => ({ ...event, type: typeName })), total };
}

/** @param {{data: {allEvents: {nodes: {createdAt: string}[], totalCount: number}}}} body @returns {Result} */
function fromAllEvents({ data: { allEvents } }) {
  const { nodes, totalCount } = allEvents;
  return {
    events: nodes.map((event) => ({ ...event, createdAt: new Date(event.createdAt).toISOString() })),
    total: totalCount,
  };
}

/** @typedef {{bytes: number, total: number, sizeRanges: Map<string, number>}} Answer sizeRanges: by the name of a case, the difference in bytes
between its largest and smallest body */

/**
 * Checks for every flag that all cases return the same events, before any case is timed.
 * @param {Case[]} cases
 * @param {number} limit
 * @returns {Promise<Answer>} the body size of the first case and the number of events, both of the first flag
 */
export async function checkSameAnswers(cases, limit) {
  const [first, ...others] = cases;
  if (!first) throw new Error('No case is left to measure.');
  const sizes = new Map(cases.map(({ name }) => [name, /** @type {number[]} */ ([])]));
  const ask = async (/** @type {Case} */ { name, request, toResult }, /** @type {number} */ index) => {
    const { url, ...init } = allRequests(request)[index] ?? request;
    const response = await fetch(url, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${name} responded with ${response.status}: ${text.slice(0, 500)}`);
    sizes.get(name)?.push(Buffer.byteLength(text));
    const body = JSON.parse(text);
    if (body.errors) throw new Error(`${name} responded with ${text.slice(0, 500)}`);
    return toResult(body);
  };
  let total = 0;
  for (const index of allRequests(first.request).keys()) {
    const expected = await ask(first, index);
    if (expected.events.length !== limit)
      throw new Error(`${first.name} returned ${expected.events.length} events, not ${limit}.`);
    for (const other of others)
      deepStrictEqual(await ask(other, index), expected, `${other.name} returns another result than ${first.name}`);
    if (index === 0) total = expected.total;
  }
  const sizeRanges = [...sizes].map(([name, all]) => /** @type {const} */ ([name, Math.max(...all) - Math.min(...all)]));
  return { bytes: sizes.get(first.name)?.[0] ?? 0, total, sizeRanges: new Map(sizeRanges) };
}
