import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RawResponse } from '../support/send-raw.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

interface Check {
  readonly name: string;
  readonly send: (gateway: TestGateway, token: string | null) => Promise<RawResponse>;
  /** Whether the response shows the weakness that the check looks for. */
  readonly isFinding: (response: RawResponse) => boolean;
}

const post = (query: string, isFinding: Check['isFinding'], name: string): Check => ({
  name,
  isFinding,
  send: (gateway, token) => gateway.postJson('/graphql', { query, operationName: 'cop' }, { token }),
});
const hasData: Check['isFinding'] = ({ body }) => Boolean(body?.data && Object.values(body.data).some((value) => value !== null));

/** The checks of the scanner graphql-cop. */
const CHECKS: readonly Check[] = [
  post(
    `query cop { ${repeat(101, (n) => `alias${n}: __typename`)} }`,
    ({ body }) => Boolean(body.data?.alias100),
    'alias overloading',
  ),
  {
    name: 'batches',
    send: (gateway, token) =>
      gateway.postJson(
        '/graphql',
        Array.from({ length: 10 }, () => ({ query: 'query cop { __typename }' })),
        { token },
      ),
    isFinding: ({ body }) => Array.isArray(body) && body.length >= 10,
  },
  post(`query cop { __typename ${repeat(10, () => '@aa')} }`, ({ body }) => body.errors?.length >= 10, 'directive overloading'),
  post(
    `query cop { __schema { types { ${'fields { type { '.repeat(4)} name ${'} }'.repeat(4)} } } }`,
    ({ body }) => body.data?.__schema?.types?.length > 25,
    'circular introspection',
  ),
  post(`query cop { ${repeat(500, () => '__typename')} }`, hasData, 'field duplication'),
  post('query cop { __schema { directive } }', ({ text }) => text.includes('Did you mean'), 'field suggestions'),
  post(
    'query cop { event(id: 1) { i } evnts { totalCount } }',
    ({ text }) => text.includes('Did you mean'),
    'suggestions of the schema',
  ),
  {
    name: 'an IDE',
    send: (gateway, token) => gateway.send('/graphiql/', { token, headers: { accept: 'text/html' } }),
    isFinding: ({ status, text }) => status === 200 || /graphiql|playground/i.test(text),
  },
  post('query cop { __schema { types { name fields { name } } } }', ({ body }) => Boolean(body.data?.__schema), 'introspection'),
  {
    name: 'mutations by GET',
    send: (gateway, token) => gateway.send('/graphql?query=mutation%20cop%20%7B__typename%7D', { token }),
    isFinding: hasData,
  },
  {
    name: 'queries by GET',
    send: (gateway, token) => gateway.send('/graphql?query=query%20cop%20%7B__typename%7D', { token }),
    isFinding: hasData,
  },
  {
    name: 'forms',
    send: (gateway, token) =>
      gateway.send('/graphql', {
        method: 'POST',
        token,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'query=query%20cop%20%7B__typename%7D',
      }),
    isFinding: hasData,
  },
  post('query cop { __typename }', ({ body }) => Boolean(body.extensions?.tracing), 'traces'),
  post('queryy cop { __typename }', ({ text }) => /exception|stacktrace/.test(text), 'unhandled errors'),
];

describe.each([
  ['without IDE and introspection', { GRAPHIQL: 'false', INTROSPECTION: 'false' }],
  [
    'that also requires trusted documents',
    {
      GRAPHIQL: 'false',
      INTROSPECTION: 'false',
      TRUSTED_DOCUMENTS: 'require',
      TRUSTED_DOCUMENTS_FILES: 'test/typed-clients/generated/persisted-documents.json',
    },
  ],
])('a gateway %s', (_, env) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', env);
  });
  afterAll(() => gateway.stop());

  // Queries by GET need a token, which a page of another origin does not have. Trusted documents forbid them as well.
  const isExpected = (name: string, token: string | null) =>
    name === 'queries by GET' && token !== null && !('TRUSTED_DOCUMENTS' in env);

  test.each(CHECKS.map((check) => [check.name, check] as const))(
    '%s → no finding, with or without a token',
    async (name, check) => {
      for (const token of [gateway.viewerToken, null]) {
        const response = await check.send(gateway, token);
        expect(response.status).toBeLessThan(500);
        expect({ token: token !== null, found: check.isFinding(response) }).toEqual({
          token: token !== null,
          found: isExpected(name, token),
        });
      }
    },
  );
});

test('introspection off, misspelled names and values in variables → no suggestion', async () => {
  const gateway = await startTestGateway('log', { INTROSPECTION: 'false' });
  const document = 'query ($filter: EventFilter) { events(filter: $filter) { totalCount } }';
  try {
    for (const [query, variables] of [
      [document, { filter: { types: ['FEATURE_CREATE'] } }],
      [document, { filter: { feature: ['a'] } }],
      ['{ events(filter: { types: [FEATURE_CREATE] }) { totalCount } }', {}],
      ['{ event(id: 1) { typ } }', {}],
      ['query ($filter: EventFilte) { events(filter: $filter) { totalCount } }', {}],
    ] as const) {
      const { status, text } = await gateway.graphql(query, variables);
      expect([status, text.includes('Did you mean'), text.includes('errors')]).toEqual([400, false, true]);
    }
  } finally {
    await gateway.stop();
  }
});

test('a gateway without these restrictions → the checks find their weaknesses', async () => {
  const gateway = await startTestGateway('log', {
    GRAPHIQL: 'true',
    GRAPHQL_LIMITS: 'warn',
    GRAPHQL_MAX_TOKENS: '100000',
  });
  try {
    const findings = [];
    for (const { name, send, isFinding } of CHECKS) if (isFinding(await send(gateway, gateway.viewerToken))) findings.push(name);
    expect(findings).toEqual([
      'alias overloading',
      'field duplication',
      'field suggestions',
      'suggestions of the schema',
      'an IDE',
      'introspection',
      'queries by GET',
    ]);
  } finally {
    await gateway.stop();
  }
});
