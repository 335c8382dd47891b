import { deepStrictEqual } from 'node:assert';

/** @typedef {import('./child.mjs').Server} Server */
/** @typedef {{url: string, method: 'GET' | 'POST', headers: Record<string, string>, body?: string}} LoadRequest */
/** @typedef {{name: string, server: Server, request: LoadRequest, toAnswer: (body: any) => Answer}} Case */
/** @typedef {{events: object[], total: number}} Answer the body as REST has it */

const LIMIT = 50;

const QUERY = `query ($filter: EventFilter, $limit: Int!) {
  searchEvents(filter: $filter, limit: $limit) {
    events {
      id createdAt typeName createdBy createdByUserId environment project featureName data preData tags { type value }
    }
    total
  }
}`;

/**
 * The same 50 events with their total, asked for in four ways.
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
