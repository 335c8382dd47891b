import { hash } from 'node:crypto';
import { FREQUENT_TEXT } from './event-log.mjs';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {import('./load-request.mjs').LoadRequest} LoadRequest */

const LIMIT = 50;

/** The number of different values exceeds the number of requests in one measurement. */
const OTHER_VALUES = 700;

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
  const searchEach = (/** @type {string} */ parameters, /** @type {(n: number) => string} */ toValue) => {
    const { server, request } = search(parameters);
    return { server, request: { ...request, values: Array.from({ length: OTHER_VALUES + 1 }, (_, n) => toValue(n)) } };
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
      ...searchEach('query=Rollout%20{value}%22', (n) => String(rare + n)),
    },
    {
      name: 'free text in one event, another hash each time, with total',
      target: '50',
      ...searchEach('query={value}', (n) => hash('md5', `${rare + n}50`)),
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
