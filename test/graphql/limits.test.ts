import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { createExamples } from '../../src/web/ide/examples.js';
import { expectError, expectGraphqlError } from '../support/expect-error.js';
import { HOSTILE_REQUESTS } from '../support/hostile-documents.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const ACCEPTED = ['*/*', 'application/json', 'application/graphql-response+json'];
const PAGE = '{ events(first: 50) { nodes { id } } }';
/** The cost of a search, and of an object for each event. */
const COST_OF_PAGE = 10 + 50;

describe('limits of a document', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  describe.each(Object.entries(HOSTILE_REQUESTS))('%s', (_, body) => {
    test('rejected with 4xx, while another request succeeds', async () => {
      const headers = { 'content-type': 'application/json' };
      const [rejected, served] = await Promise.all([
        gateway.send('/graphql', { method: 'POST', body, headers }),
        gateway.graphql(PAGE),
      ]);
      expect(rejected.status).toBeGreaterThanOrEqual(400);
      expect(rejected.status).toBeLessThan(500);
      expect(rejected.body.errors.length).toBeGreaterThan(0);
      expect(served.body.errors).toBeUndefined();
    });
  });

  test.each(ACCEPTED)('a document beyond a limit, accepting %s → 400', async (accept) => {
    const query = `{ ${Array.from({ length: 21 }, (_, n) => `a${n}: event(id: ${n + 1}) { id }`).join(' ')} }`;
    const response = await gateway.graphql(query, {}, { headers: { accept } });
    expect(response.status).toBe(400);
    expectGraphqlError(response, 'GRAPHQL_VALIDATION_FAILED', 'BadDataError');
    expect(response.body.errors[0].message).toBe('Root fields limit of 20 exceeded, found 21.');
  });

  test.each([
    [
      'root fields in fragments → the error of their limit',
      `{ ...F ...F } fragment F on Query { ${'__typename '.repeat(11)} }`,
      'Root fields limit of 20 exceeded, found 22.',
    ],
    [
      'aliases → the error of their limit',
      `{ events { nodes { ${Array.from({ length: 31 }, (_, n) => `a${n}: id`).join(' ')} } } }`,
      'Aliases limit of 30 exceeded, found 31.',
    ],
  ])('%s', async (_, query, message) => {
    const { body } = await gateway.graphql(query);
    expect(body.errors?.map((error: Error) => error.message) ?? []).toEqual([message]);
  });

  test.each([
    ['a page of 1000 edges', '{ events(first: 1000) { edges { node { id } } } }'],
    [
      "the IDE's introspection",
      getIntrospectionQuery({ specifiedByUrl: true, directiveIsRepeatable: true, inputValueDeprecation: true }),
    ],
    ...createExamples(new Date()).map(({ query }, index) => [`example ${index + 1} of the IDE`, query]),
    ...queriesOf('README.md').map((query, index) => [`query ${index + 1} of the README`, query]),
  ])('%s → within all limits', async (_, query) => {
    const { body } = await gateway.graphql(query);
    expect((body.errors ?? []).filter(({ message }: Error) => /limit|costs/.test(message))).toEqual([]);
  });

  test('too many events in one operation, by literals or variables → rejected for its cost', async () => {
    const literal = `{ ${['a', 'b', 'c', 'd', 'e'].map((alias) => `${alias}: searchEvents(limit: 1000) { events { id } }`).join(' ')} }`;
    const response = await gateway.graphql(literal);
    expect(response.status).toBe(400);
    expectGraphqlError(response, 'BAD_USER_INPUT', 'BadDataError');
    expect(response.body.errors[0].message).toMatch(/^The operation costs 5050, more than the limit of 5000 /);

    const counted = literal.replaceAll('1000', '$n').replace('{', 'query ($n: Int!) {');
    expect((await gateway.graphql(counted, { n: 10 })).body.errors).toBeUndefined();
    expect((await gateway.graphql(counted, { n: 1000 })).status).toBe(400);
  });

  test('null for a variable with a default → rejected before anything else runs', async () => {
    const query = 'query ($id: Int = 1) { event(id: $id) { id } searchEvents(limit: 1000) { events { id } } }';
    const response = await gateway.graphql(query, { id: null });
    expect(response.status).toBe(400);
    expectGraphqlError(response, 'BAD_USER_INPUT', 'BadDataError');
    expect(response.body.data).toBeUndefined();
  });

  test('a page size over the maximum → an error about the page size, not the cost', async () => {
    expectGraphqlError(await gateway.graphql('{ events(first: 100000) { totalCount } }'), 'BAD_USER_INPUT', 'BadDataError');
  });

  test('extensions.cost requested → the cost and the budget', async () => {
    const { body } = await gateway.postJson('/graphql', { query: PAGE, extensions: { cost: true } });
    expect(body.extensions.cost).toEqual({
      cost: COST_OF_PAGE,
      maxCost: 5000,
      charged: COST_OF_PAGE,
      budget: { limit: 1_000_000, remaining: expect.any(Number), resetSeconds: expect.any(Number) },
    });
    expect((await gateway.postJson('/graphql', { query: PAGE })).body.extensions).toBeUndefined();
  });
});

describe('the cost of signup tokens', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  test.each([
    ['{ signupToken(secret: "x") { name } }', 100],
    ['{ a: signupToken(secret: "x") { users { id } } b: signupToken(secret: "x") { role { id } } }', 202],
    ['mutation { createPublicSignupToken(input: { name: "a", expiresAt: "2099-01-01T00:00:00Z" }) { name users { id } } }', 51],
  ])('%s → %i', async (query, cost) => {
    const { body } = await gateway.postJson('/graphql', { query, extensions: { cost: true } });
    expect(body.extensions.cost).toMatchObject({ cost, charged: cost });
  });
});

describe('the budget of a token', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', { GRAPHQL_COST_PER_MINUTE: String(2 * COST_OF_PAGE) });
  });
  afterAll(() => gateway.stop());

  test('GraphQL and REST requests → counted down in headers; beyond → 429 with Retry-After; another token → its own budget', async () => {
    const search = '/api/admin/search/events?limit=50';
    const first = await gateway.graphql(PAGE);
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '120', 'ratelimit-remaining': '60' });
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0);
    const second = await gateway.send(search);
    expect(second).toMatchObject({ status: 200, headers: { 'ratelimit-remaining': '0' } });

    const overGraphql = await gateway.graphql(PAGE);
    expect(overGraphql.status).toBe(429);
    expectGraphqlError(overGraphql, 'RATE_LIMITED', 'TooManyRequestsError');
    const overRest = await gateway.send(search);
    expectError(overRest, 429, 'TooManyRequestsError');
    for (const { headers } of [overGraphql, overRest]) {
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect((await gateway.send(search, { token: gateway.viewerToken })).status).toBe(200);
    // An invalid document also gets 429: it is not validated for free.
    expect((await gateway.graphql('{ nothing }')).status).toBe(429);
  });
});

describe('a rejected request', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', {
      GRAPHQL_COST_PER_MINUTE: '100000',
      TRUSTED_DOCUMENTS: 'log',
      TRUSTED_DOCUMENTS_FILES: 'test/typed-clients/generated/persisted-documents.json',
    });
  });
  afterAll(() => gateway.stop());

  const headers = { 'content-type': 'application/json' };
  const toBody = (query: string) => JSON.stringify({ query });
  test.each([
    [
      'a document over the cost of one operation',
      toBody(
        '{ a: events(first: 1000) { nodes { id } } b: featureEvents(featureName: "a") { totalEvents } c: events(first: 1000) { nodes { id } } d: events(first: 1000) { nodes { id } } e: events(first: 1000) { nodes { id } } f: events(first: 1000) { nodes { id } } }',
      ),
    ],
    ['an unknown field', toBody('{ nope }')],
    ['a document nested too deep', toBody(`${'{ a '.repeat(100)}${'}'.repeat(100)}`)],
    ['a batch', `[${toBody('{ __typename }')}]`],
    ['an unknown trusted document', JSON.stringify({ documentId: 'a' })],
  ])('%s → charged', async (_, body) => {
    const remaining = async () => {
      const { headers: responseHeaders } = await gateway.graphql('{ __typename }');
      return Number(responseHeaders['ratelimit-remaining']);
    };
    const before = await remaining();
    const rejected = await gateway.send('/graphql', { method: 'POST', body, headers });
    expect(rejected).toMatchObject({ status: 400, headers: { 'ratelimit-remaining': String(before - 100) } });
    // The request that reads the header costs 1.
    expect(await remaining()).toBe(before - 101);
  });
});

test('all events of a flag → charged page by page; a response that has begun is completed', async () => {
  const gateway = await startTestGateway('log', { GRAPHQL_COST_PER_MINUTE: '500' });
  try {
    const path = '/api/admin/events/bulk-flag';
    const { status, body } = await gateway.send(path);
    expect(status).toBe(200);
    expect(body.events).toHaveLength(body.totalEvents);
    expect(body.totalEvents).toBeGreaterThan(500);
    expectError(await gateway.send(path), 429, 'TooManyRequestsError');
  } finally {
    await gateway.stop();
  }
});

test('limits that are not enforced → warnings in the log', async () => {
  const gateway = await startTestGateway('log', {
    GRAPHQL_LIMITS: 'warn',
    GRAPHQL_MAX_ROOT_FIELDS: '1',
    GRAPHQL_MAX_COST: '20',
    GRAPHQL_COST_PER_MINUTE: '30',
  });
  try {
    const { status, body } = await gateway.graphql(`{ a: ${PAGE.slice(1, -1)} b: event(id: 1) { id } }`);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    const warnings = gateway.log.map((line) => JSON.parse(line).limit).filter(Boolean);
    expect(warnings).toEqual([
      expect.stringMatching(/Root fields/),
      expect.stringMatching(/more than the limit of 20/),
      expect.stringMatching(/left of your budget of 30/),
    ]);
  } finally {
    await gateway.stop();
  }
});

/** Returns the queries of the example requests in a Markdown file. */
function queriesOf(file: string): string[] {
  const requests = [...readFileSync(file, 'utf8').matchAll(/^```graphql\n(.*?)^```/gms)].map(([, query = '']) => query);
  if (requests.length === 0) throw new Error(`There is no request in ${file}.`);
  return requests;
}
