import { deepStrictEqual } from 'node:assert';
import { hash } from 'node:crypto';
import { FREQUENT_TEXT } from './event-log.mjs';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {{url: string, method: 'GET' | 'POST', headers: Record<string, string>, body?: string, others?: string[]}} LoadRequest others: paths that
are requested in turn with the path of the URL */
/** @typedef {{name: string, server: Server, request: LoadRequest, toResult: (body: any) => Result}} Case */
/** @typedef {{events: object[], total: number}} Result the body in the form of REST */

const LIMIT = 50;

/** The number of different values exceeds the number of requests in one measurement. */
const OTHER_VALUES = 700;

const QUERY = `query ($filter: EventFilter, $limit: Int!) {
  searchEvents(filter: $filter, limit: $limit) {
    events {
      id createdAt typeName createdBy createdByUserId environment project featureName data preData tags { type value }
    }
    total
  }
}`;

/**
 * Creates five requests for the same 50 events with their total.
 * @param {{bare: Server, gateway: Server, stockApollo: Server}} servers
 * @param {{flag: string, token: string}} of
 * @returns {Case[]} the first is the bare server, the baseline of the others
 */
export function createCases({ bare, gateway, stockApollo }, { flag, token }) {
  const authorization = token;
  const graphql = {
    method: /** @type {const} */ ('POST'),
    body: JSON.stringify({ query: QUERY, variables: { filter: { features: [flag] }, limit: LIMIT } }),
  };
  const json = { 'content-type': 'application/json' };
  return [
    {
      name: 'node:http and pg alone',
      server: bare,
      request: { url: `${bare.url}/?feature=${flag}&limit=${LIMIT}`, method: 'GET', headers: {} },
      toResult: (body) => body,
    },
    {
      name: 'node:http and json_agg',
      server: bare,
      request: { url: `${bare.url}/text?feature=${flag}&limit=${LIMIT}`, method: 'GET', headers: {} },
      toResult: (body) => body,
    },
    {
      name: 'this gateway, REST',
      server: gateway,
      request: {
        url: `${gateway.url}/api/admin/search/events?feature=IS:${flag}&limit=${LIMIT}`,
        method: 'GET',
        headers: { authorization },
      },
      toResult: (body) => body,
    },
    {
      name: 'this gateway, GraphQL',
      server: gateway,
      request: { url: `${gateway.url}/graphql`, headers: { ...json, authorization }, ...graphql },
      toResult: fromGraphql,
    },
    {
      name: 'Apollo standalone and Prisma',
      server: stockApollo,
      request: { url: `${stockApollo.url}/`, headers: json, ...graphql },
      toResult: fromGraphql,
    },
  ];
}

/** @param {{data: {searchEvents: {events: {typeName: string}[], total: number}}}} body */
function fromGraphql({ data: { searchEvents } }) {
  const { events, total } = searchEvents;
  return { events: events.map(({ typeName, ...event }) => ({ ...event, type: typeName })), total };
}

/**
 * Checks that every case returns the same events before any case is timed.
 * @param {Case[]} cases
 * @returns {Promise<{bytes: number, total: number}>} the body size of the first case, and the number of events of the flag
 */
export async function checkSameAnswers(cases) {
  const results = await Promise.all(
    cases.map(async ({ name, request: { url, ...init }, toResult }) => {
      const response = await fetch(url, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`${name} responded with ${response.status}: ${text.slice(0, 500)}`);
      return { name, text, result: toResult(JSON.parse(text)) };
    }),
  );
  const [first, ...others] = results;
  if (first?.result.events.length !== LIMIT)
    throw new Error(`${first?.name} returned ${first?.result.events.length} events, not ${LIMIT}.`);
  for (const { name, result } of others)
    deepStrictEqual(result, first.result, `${name} returns another result than ${first.name}`);
  return { bytes: Buffer.byteLength(first.text), total: first.result.total };
}

/** @typedef {{name: string, target: string, server: Server, request: LoadRequest}} Query */

/**
 * Creates queries for one client. Their cost could grow with the log.
 * @param {{bare: Server, gateway: Server}} servers on the measured log
 * @param {{token: string, events: number, flag: string, others: {events: number, server: Server}[]}} of others: gateways on logs of other sizes
 * @returns {Promise<Query[]>}
 */
export async function createQueries({ bare, gateway }, { token, events, flag, others }) {
  const skip = Math.floor(events * 0.9);
  const search = (/** @type {string} */ parameters, server = gateway) => ({
    server,
    request: /** @type {LoadRequest} */ ({
      url: `${server.url}/api/admin/search/events?${parameters}`,
      method: 'GET',
      headers: { authorization: token },
    }),
  });
  /** Uses other values each time, because the gateway does not count a total again. */
  const searchEach = (/** @type {(n: number) => string} */ toParameters) => {
    const { server, request } = search(toParameters(0));
    const others = Array.from({ length: OTHER_VALUES }, (_, n) => `/api/admin/search/events?${toParameters(n + 1)}`);
    return { server, request: { ...request, others } };
  };
  const graphql = (/** @type {string} */ query, /** @type {object} */ variables) => ({
    server: gateway,
    request: /** @type {LoadRequest} */ ({
      url: `${gateway.url}/graphql`,
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }),
  });
  const page = 'nodes { id createdAt type createdBy project featureName data }';
  const after = await cursorAfter(gateway, token, skip);
  const rare = Math.floor(events / 3);
  return [
    {
      name: 'a page of one flag and its total, from node:http and pg alone',
      target: '',
      server: bare,
      request: { url: `${bare.url}/?feature=${flag}&limit=${LIMIT}`, method: 'GET', headers: {} },
    },
    { name: 'the same from this gateway', target: '', ...search(`feature=IS:${flag}&limit=${LIMIT}`) },
    {
      name: 'free text in one event, beside words of all events, different each time, with total',
      target: '50',
      ...searchEach((n) => `query=Rollout%20${rare + n}%22`),
    },
    {
      name: 'free text in one event, another hash each time, with total',
      target: '50',
      ...searchEach((n) => `query=${hash('md5', `${rare + n}50`)}`),
    },
    {
      name: 'free text in one event of 50, first page without total',
      target: '30',
      ...graphql(`query ($q: String!) { events(filter: { query: $q }, first: 50) { ${page} } }`, { q: FREQUENT_TEXT }),
    },
    { name: 'first page of all events, with total', target: '10', ...search('limit=50') },
    {
      name: `page after ${skip.toLocaleString('en')} events, by cursor`,
      target: '5',
      ...graphql(`query ($after: String!) { events(first: 50, after: $after) { ${page} } }`, { after }),
    },
    { name: `page after ${skip.toLocaleString('en')} events, by offset`, target: '250', ...search(`limit=50&offset=${skip}`) },
    ...others.map((other) => ({
      name: `first page of all events, with total, of ${other.events.toLocaleString('en')} events`,
      target: '',
      ...search('limit=50', other.server),
    })),
  ];
}

/** @type {(gateway: Server, token: string, skip: number) => Promise<string>} */
async function cursorAfter({ url }, token, skip) {
  const ask = async (/** @type {string} */ query) => {
    const headers = { authorization: token, 'content-type': 'application/json' };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return /** @type {any} */ (await response.json()).data;
  };
  const { searchEvents } = await ask(`{ searchEvents(offset: ${skip}, limit: 1) { events { createdAt } } }`);
  const day = searchEvents.events[0].createdAt.slice(0, 10);
  const { events } = await ask(`{ events(filter: { to: "${day}" }, first: 1) { edges { cursor } } }`);
  return events.edges[0].cursor;
}
