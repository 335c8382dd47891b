import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DATABASE_SECRET, failInserts } from '../support/break-database.js';
import { detailsOf, expectGraphqlError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const CREATE = 'mutation ($input: PublicSignupTokenCreateInput!) { createPublicSignupToken(input: $input) { secret } }';
const valid = { name: 'a', expiresAt: '2099-01-01T00:00:00Z' };

describe('GraphQL errors: code, id, name, message and details in extensions', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  test.each([
    ['a document that cannot be parsed', '{ event(', 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['an argument of a wrong type', '{ event(id: "a") { id } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['an id beyond 32 bits', '{ event(id: 2147483648) { id } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'an enum value that does not exist',
      '{ searchEvents(filter: { types: [NO_SUCH_TYPE] }) { total } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a page size over the maximum', '{ events(first: 1001) { totalCount } }', 'BAD_USER_INPUT'],
    ['a limit of zero', '{ searchEvents(limit: 0) { total } }', 'BAD_USER_INPUT'],
    ['a cursor that is not from this API', '{ events(after: "MTIz") { totalCount } }', 'BAD_USER_INPUT'],
    ['first and last together', '{ events(first: 1, last: 1) { totalCount } }', 'BAD_USER_INPUT'],
    ['a NUL in a name', '{ featureEvents(featureName: "\\u0000") { totalEvents } }', 'BAD_USER_INPUT'],
  ])('%s → BadDataError', async (_, query, code) => {
    expectGraphqlError(await gateway.graphql(query), code, 'BadDataError');
  });

  test.each<[string, object, string]>([
    ['a blank name', { ...valid, name: ' ' }, 'name'],
    ['a NUL in the name', { ...valid, name: 'a\0' }, 'name'],
    ['a name that is a number', { ...valid, name: 1 }, 'input.name'],
    ['a missing name', { expiresAt: valid.expiresAt }, 'input'],
    ['a date as expiresAt', { ...valid, expiresAt: '2099-01-01' }, 'input.expiresAt'],
    ['a date that does not exist as expiresAt', { ...valid, expiresAt: '2099-02-30T00:00:00Z' }, 'input.expiresAt'],
    ['a time without a zone as expiresAt', { ...valid, expiresAt: '2099-01-01T00:00:00' }, 'input.expiresAt'],
    ['a number as expiresAt', { ...valid, expiresAt: 4070908800000 }, 'input.expiresAt'],
    ['the year 0000', { ...valid, expiresAt: '0000-01-01T00:00:00Z' }, 'input.expiresAt'],
    ['an unknown field', { ...valid, enabled: true }, 'input'],
  ])('creating with %s → details with the path', async (_, input, path) => {
    const response = await gateway.graphql(CREATE, { input });
    expectGraphqlError(response, 'BAD_USER_INPUT', 'BadDataError');
    expect(detailsOf(response)).toEqual([expect.stringMatching(new RegExp(`^${path} `))]);
    expect(await gateway.prisma.publicSignupToken.count()).toBe(0);
  });

  test('null for a non-null variable → BAD_USER_INPUT', async () => {
    expectGraphqlError(await gateway.graphql(CREATE, { input: null }), 'BAD_USER_INPUT', 'BadDataError');
    const listing = await gateway.graphql('query ($limit: Int!) { searchEvents(limit: $limit) { total } }', { limit: null });
    expectGraphqlError(listing, 'BAD_USER_INPUT', 'BadDataError');
  });

  test.each([
    ['an argument', 'query ($n: Int = 5) { searchEvents(limit: $n) { total } }', { n: null }],
    ['a list in an argument', 'query ($f: String = "a") { events(filter: { features: [$f] }) { totalCount } }', { f: null }],
    [
      'a field of an input',
      'mutation ($n: String = "a") { createPublicSignupToken(input: { name: $n, expiresAt: "2099-01-01T00:00:00Z" }) { url } }',
      { n: null },
    ],
    ['a directive', 'query ($b: Boolean = true) { events { totalCount @include(if: $b) } }', { b: null }],
  ])('null for a variable with a default, in %s → BAD_USER_INPUT', async (_, query, variables) => {
    const response = await gateway.graphql(query, variables);
    expectGraphqlError(response, 'BAD_USER_INPUT', 'BadDataError');
    expect(await gateway.prisma.publicSignupToken.count()).toBe(0);
  });

  const nested = (text: string, depth: number) => `${text.repeat(depth)}id${'}'.repeat(depth)}`;
  const chain = (length: number) =>
    Array.from(
      { length },
      (_, index) => `fragment F${index} on Event { ${index + 1 < length ? `...F${index + 1}` : 'id'} }`,
    ).join(' ');
  test.each([
    ['nested fields that have one name', `{${nested('a{', 1000)} ${nested('a{', 1000)}}`],
    ['nested inline fragments', `{${nested('...{', 1500)}}`],
    ['nested lists', `{ events(filter: { features: ${'['.repeat(3000)}${']'.repeat(3000)} }) { totalCount } }`],
    ['a chain of fragments', `{ event(id: 1) { ...F0 } } ${chain(2000)}`],
    [
      'fragments that spread each other twice',
      `{ __schema { types { ...F0 } } } ${Array.from({ length: 30 }, (_, index) => `fragment F${index} on __Type { a: ofType { ...F${index + 1} } b: ofType { ...F${index + 1} } }`).join(' ')} fragment F30 on __Type { name }`,
    ],
    ['thousands of aliases', `{ ${Array.from({ length: 5000 }, (_, index) => `a${index}: __typename`).join(' ')} }`],
  ])('a document with %s → BadDataError', async (_, query) => {
    const response = await gateway.graphql(query);
    expect(response.status).toBeLessThan(500);
    expect(response.body.errors[0].extensions).toMatchObject({ name: 'BadDataError', id: expect.any(String) });
  });

  test('brackets in strings and comments → not counted as nesting', async () => {
    const text = '['.repeat(100);
    const { body } = await gateway.graphql(`{ events(filter: { query: "${text}\\"{" }) { totalCount } } # ${text}`);
    expect(body).toEqual({ data: { events: { totalCount: 0 } } });
  });

  test('a database error → INTERNAL_SERVER_ERROR without its details', async () => {
    const repair = await failInserts(gateway.prisma, 'events');
    const response = await gateway.graphql(CREATE, { input: valid });
    await repair();
    expectGraphqlError(response, 'INTERNAL_SERVER_ERROR', 'InternalError');
    expect(response.text).not.toContain(DATABASE_SECRET);
    expect(response.text).not.toMatch(/prisma|insert|trigger|stacktrace|\.ts|node_modules/i);
    expect(await gateway.prisma.publicSignupToken.count()).toBe(0);
  });

  test.each<[string, string, Record<string, string>]>([
    ['no body', '', { 'content-type': 'application/json' }],
    ['a body that is not JSON', '{', { 'content-type': 'application/json' }],
    ['a body that is a list', '[]', { 'content-type': 'application/json' }],
    ['a body that is null', 'null', { 'content-type': 'application/json' }],
    ['no query', '{}', { 'content-type': 'application/json' }],
    ['a query that is a number', '{"query":1}', { 'content-type': 'application/json' }],
    [
      'variables that are a list',
      '{"query":"{ events { totalCount } }","variables":[1]}',
      { 'content-type': 'application/json' },
    ],
    [
      'an unknown operation',
      '{"query":"query A { events { totalCount } }","operationName":"B"}',
      { 'content-type': 'application/json' },
    ],
    ['text/plain', '{"query":"{ events { totalCount } }"}', { 'content-type': 'text/plain' }],
    ['a form', 'query=%7B+events+%7B+totalCount+%7D+%7D', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('a request with %s → a GraphQL error, not a 5xx', async (_, body, headers) => {
    const { status, body: result } = await gateway.send('/graphql', { method: 'POST', headers, body });
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(500);
    expect(result.data ?? null).toBeNull();
    expect(result.errors[0].extensions).toMatchObject({
      code: expect.any(String),
      id: expect.any(String),
      name: expect.any(String),
    });
  });

  test('a body over 100 kB → 413 as a GraphQL error', async () => {
    const response = await gateway.graphql(`{ event(id: 1) { id } } #${'x'.repeat(110_000)}`);
    expect(response.status).toBe(413);
    expectGraphqlError(response, 'PAYLOAD_TOO_LARGE', 'PayloadTooLargeError');
  });
});
