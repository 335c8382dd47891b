import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectMcpOverHttp } from '../support/mcp-client.js';
import type { RawResponse } from '../support/send-raw.js';
import { type RequestOptions, startTestGateway, type TestGateway } from '../support/test-gateway.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const PAGES = 'https://inspector.example.com';
const BUDGET = 1_000;

const callOf = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('log', { CORS_ORIGINS: PAGES, GRAPHQL_COST_PER_MINUTE: String(BUDGET) });
});
afterAll(() => gateway.stop());

const post = (message: unknown, options: RequestOptions = {}) => gateway.postJson('/mcp', message, options);

/** Checks an error of HTTP: the status, and the error body in an error of JSON-RPC. */
function expectMcpError({ status, body, headers }: RawResponse, expected: number, name: string): void {
  const message = expect.stringMatching(/\S/);
  const data = { id: expect.stringMatching(UUID), name, message };
  expect({ status, body }).toEqual({
    status: expected,
    body: { jsonrpc: '2.0', id: null, error: { code: -32000, message, data } },
  });
  expect(headers['x-request-id']).toBeDefined();
}

describe('POST /mcp', () => {
  test('a request → a JSON response without a session; a notification → 202', async () => {
    const response = await post(PING);
    expect(response).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 7, result: {} } });
    expect(response.headers['content-type']).toMatch(/^application\/json\b/);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers).not.toHaveProperty('mcp-session-id');
    const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect({ status: notified.status, text: notified.text }).toEqual({ status: 202, text: '' });
  });

  test('no token, and a wrong one → 401, before the body is read', async () => {
    const options = { headers: { 'content-type': 'text/plain' }, method: 'POST', body: 'not JSON' };
    const missing = await gateway.send('/mcp', { ...options, token: null });
    expectMcpError(missing, 401, 'AuthenticationRequired');
    expect(missing.headers['www-authenticate']).toBe('Bearer');
    expectMcpError(await gateway.send('/mcp', { ...options, token: 'wrong' }), 401, 'UnauthorizedError');
    await expect(connectMcpOverHttp(gateway.url, 'wrong')).rejects.toThrow();
  });

  test('the origin of another page → 403; its own origin, one in CORS_ORIGINS, and none → 200', async () => {
    for (const origin of ['https://evil.example.com', 'null', gateway.url.replace('http:', 'https:')])
      expectMcpError(await post(PING, { headers: { origin } }), 403, 'PermissionError');
    for (const headers of [{ origin: gateway.url }, { origin: PAGES }, {}])
      expect((await post(PING, { headers })).status).toBe(200);
  });

  test.each<[string, unknown, RegExp]>([
    ['a batch', [PING], /Batches are not supported/],
    ['null', null, /one JSON-RPC message/],
    ['no message of JSON-RPC', { method: 'ping', id: 1 }, /Invalid JSON-RPC message/],
  ])('%s → 400', async (_, message, reason) => {
    const response = await post(message, { token: await gateway.createToken({}) });
    expectMcpError(response, 400, 'BadDataError');
    expect(response.body.error.message).toMatch(reason);
    expect(response.headers['ratelimit-remaining']).toBe(String(BUDGET - 101));
  });

  test('not JSON, too long, another type, another version of the protocol → an error of the table', async () => {
    const headers = { 'content-type': 'application/json' };
    const sendBody = (body: string, more = {}) =>
      gateway.send('/mcp', { method: 'POST', body, headers: { ...headers, ...more } });
    expectMcpError(await sendBody('{'), 400, 'BadDataError');
    expectMcpError(await sendBody(`"${'x'.repeat(200_000)}"`), 413, 'PayloadTooLargeError');
    expectMcpError(await sendBody('x', { 'content-type': 'text/plain' }), 415, 'ContentTypeError');
    expectMcpError(await sendBody(JSON.stringify(PING), { 'mcp-protocol-version': '1999-01-01' }), 400, 'BadDataError');
  });

  test('a budget that does not suffice → an error of the tool; a budget that is used up → 429', async () => {
    const token = await gateway.createToken({});
    const { call, client } = await connectMcpOverHttp(gateway.url, token);
    const results = [];
    while (results.at(-1)?.isError !== true && results.length < 10) results.push(await call('search_events', { limit: 100 }));
    expect(results.length).toBeGreaterThan(1);
    const { name, message, id } = JSON.parse(results.at(-1)?.text ?? '');
    expect({ name, id }).toEqual({ name: 'TooManyRequestsError', id: expect.stringMatching(UUID) });
    expect(message).toMatch(/Try again in \d+ seconds\./);
    // Each rejected message costs 100.
    while ((await post([], { token })).status === 400);
    const spent = await post(PING, { token });
    expectMcpError(spent, 429, 'TooManyRequestsError');
    expect(Number(spent.headers['retry-after'])).toBeGreaterThan(0);
    await client.close();
  });
});

// No event has this flag, so no rows are charged besides.
const NONE = { limit: 5, features: ['none'] };
test.each([
  ['ping', PING, 1],
  ['wrong arguments', callOf('search_events', { limit: 0 }), 1],
  ['a page of five events', callOf('search_events', NONE), 1 + 10 + 4 * 5],
  ['a page with a text', callOf('search_events', { ...NONE, query: 'strategy' }), 1 + 50 + 4 * 5],
  ['a page with counts', callOf('get_changes_between', { ...NONE, since: '2001-01-01T00:00:00Z' }), 1 + 10 + 4 * 5 + 120],
])('%s → costs what docs/mcp.md says', async (_, message, cost) => {
  const { headers, status } = await post(message, { token: await gateway.createToken({}) });
  expect({ status, remaining: Number(headers['ratelimit-remaining']) }).toEqual({ status: 200, remaining: BUDGET - cost });
});

test.each(['GET', 'DELETE'])('%s /mcp → 405, because there are neither streams nor sessions', async (method) => {
  const response = await gateway.send('/mcp', { method });
  expectMcpError(response, 405, 'MethodNotAllowedError');
  expect(response.headers.allow).toBe('POST');
  expect((await gateway.send('/mcp', { method, token: null })).status).toBe(401);
});
