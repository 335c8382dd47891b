import { deepStrictEqual } from 'node:assert';
import { hash } from 'node:crypto';
import { FREQUENT_TEXT } from './event-log.mjs';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {{url: string, method: 'GET' | 'POST', headers: Record<string, string>, body?: string, others?: string[]}} LoadRequest others: paths to
ask for in turn with that of the URL */
/** @typedef {{name: string, server: Server, request: LoadRequest, toAnswer: (body: any) => Answer}} Case */
/** @typedef {{events: object[], total: number}} Answer the body as REST has it */

const LIMIT = 50;

/** More than are asked for in the time of one question. */
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
 * The same 50 events with their total, asked for in five ways.
 * @param {{bare: Server, gateway: Server, stockApollo: Server}} servers
 * @param {{flag: string, token: string}} of
 * @returns {Case[]} the bare server, which the others are compared to, is the first
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
      toAnswer: (body) => body,
    },
    {
      name: 'node:http and json_agg',
      server: bare,
      request: { url: `${bare.url}/text?feature=${flag}&limit=${LIMIT}`, method: 'GET', headers: {} },
      toAnswer: (body) => body,
    },
    {
      name: 'this gateway, REST',
      server: gateway,
      request: {
        url: `${gateway.url}/api/admin/search/events?feature=IS:${flag}&limit=${LIMIT}`,
        method: 'GET',
        headers: { authorization },
      },
      toAnswer: (body) => body,
    },
    {
      name: 'this gateway, GraphQL',
      server: gateway,
      request: { url: `${gateway.url}/graphql`, headers: { ...json, authorization }, ...graphql },
      toAnswer: fromGraphql,
    },
    {
      name: 'Apollo standalone and Prisma',
      server: stockApollo,
      request: { url: `${stockApollo.url}/`, headers: json, ...graphql },
      toAnswer: fromGraphql,
    },
  ];
}

/** @param {{data: {searchEvents: {events: {typeName: string}[], total: number}}}} body */
function fromGraphql({ data: { searchEvents } }) {
  const { events, total } = searchEvents;
  return { events: events.map(({ typeName, ...event }) => ({ ...event, type: typeName })), total };
}

/**
 * Checks that every case answers the very same events before any of them is timed.
 * @param {Case[]} cases
 * @returns {Promise<{bytes: number, total: number}>} the size of the first one's body, and how many events the flag has
 */
export async function checkSameAnswers(cases) {
  const answers = await Promise.all(
    cases.map(async ({ name, request: { url, ...init }, toAnswer }) => {
      const response = await fetch(url, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text.slice(0, 500)}`);
      return { name, text, answer: toAnswer(JSON.parse(text)) };
    }),
  );
  const [first, ...others] = answers;
  if (first?.answer.events.length !== LIMIT)
    throw new Error(`${first?.name} answered ${first?.answer.events.length} events, not ${LIMIT}.`);
  for (const { name, answer } of others) deepStrictEqual(answer, first.answer, `${name} answers otherwise than ${first.name}`);
  return { bytes: Buffer.byteLength(first.text), total: first.answer.total };
}

/** @typedef {{name: string, target: string, server: Server, request: LoadRequest}} Query */

/**
 * Questions whose cost could grow with the log, each asked by one client, one after the other.
 * @param {{bare: Server, gateway: Server}} servers on the log that is measured
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
  /** Other values each time: a total that was counted before is not counted again. */
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
      name: 'free text that one event has, beside words that all have, another each time, with total',
      target: '50',
      ...searchEach((n) => `query=Rollout%20${rare + n}%22`),
    },
    {
      name: 'free text that one event has, another hash each time, with total',
      target: '50',
      ...searchEach((n) => `query=${hash('md5', `${rare + n}50`)}`),
    },
    {
      name: 'free text that one event of 50 has, first page without total',
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
