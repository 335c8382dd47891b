import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DATABASE_SECRET, failInserts } from '../support/break-database.js';
import { type RequestOptions, startTestGateway, type TestGateway } from '../support/test-gateway.js';

const TOKENS = '/api/admin/invite-link/tokens';
const json = { 'content-type': 'application/json' };
const valid = { name: 'a', expiresAt: '2099-01-01T00:00:00Z' };

/** Sends bytes that may not be HTTP, and returns everything that is received. */
function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (text) => {
      response += text;
    });
    socket.on('error', reject).on('close', () => resolve(response));
  });
}

describe('the log of the gateway', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty', { LOG_LEVEL: 'trace' });
  });
  afterAll(() => gateway.stop());

  const linesWith = (text: string) => gateway.log.filter((line) => line.includes(text));
  const expectLoggedOnce = (id: string) => {
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(linesWith(id)).toHaveLength(1);
  };

  describe('an error response → its id is in the log exactly once', () => {
    test.each<[string, string, RequestOptions]>([
      ['401 without a token', '/api/admin/events/x', { token: null }],
      ['401 with an unknown token', '/api/admin/events/x', { token: 'unknown' }],
      ['401 for an undecodable path without a token', '/api/admin/events/%zz', { token: null }],
      ['400 for an undecodable path', '/api/admin/events/%zz', {}],
      ['400 for a NUL', '/api/admin/events/%00', {}],
      ['400 for wrong parameters', '/api/admin/search/events?limit=0&offset=x', {}],
      ['400 for a wrong body', TOKENS, { method: 'POST', headers: json, body: '{}' }],
      ['400 for a body that is not JSON', TOKENS, { method: 'POST', headers: json, body: '{' }],
      ['404 for an unknown signup token', `${TOKENS}/x`, {}],
      ['404 for an unknown path', '/api/admin/nothing', {}],
      ['404 outside of /api', '/nothing', {}],
      ['413', TOKENS, { method: 'POST', headers: json, body: `"${'x'.repeat(110_000)}"` }],
      ['415', TOKENS, { method: 'POST', headers: { 'content-type': 'application/xml' }, body: '<a/>' }],
    ])('%s', async (_, path, options) => {
      const { status, body } = await gateway.send(path, options);
      expect(status).toBeGreaterThanOrEqual(400);
      expectLoggedOnce(body.id);
    });

    test('403', async () => {
      expectLoggedOnce((await gateway.postJson(TOKENS, valid, { token: gateway.viewerToken })).body.id);
    });

    test.each<[string, string, RequestOptions]>([
      ['that cannot be parsed', '{ event(', {}],
      ['that is invalid', '{ nothing }', {}],
      ['with invalid arguments', '{ searchEvents(limit: 0) { total } }', {}],
      ['that needs another permission', '{ signupToken(secret: "x") { name } }', { token: 'viewer' }],
      ['without a token', '{ events { totalCount } }', { token: null }],
      ['with two invalid fields', '{ a: searchEvents(limit: 0) { total } events(first: -1) { totalCount } }', {}],
    ])('GraphQL: a document %s', async (_, query, options) => {
      const token = options.token === 'viewer' ? gateway.viewerToken : options.token;
      const { body } = await gateway.graphql(query, {}, { ...options, ...(token !== undefined && { token }) });
      expect(body.errors.length).toBeGreaterThan(0);
      for (const { extensions } of body.errors) expectLoggedOnce(extensions.id);
    });

    test.each<[string, string, Record<string, string>]>([
      ['no query', '{}', json],
      ['a wrong content type', 'a', { 'content-type': 'text/plain' }],
      ['an unknown content type', 'a', { 'content-type': 'application/xml' }],
      ['a query that is a number', '{"query":1}', json],
      ['variables that are a text', '{"query":"{ events { totalCount } }","variables":"a"}', json],
    ])('GraphQL: a request with %s', async (_, body, headers) => {
      const response = await gateway.send('/graphql', { method: 'POST', headers, body });
      expect(response.body.errors).toHaveLength(1);
      expectLoggedOnce(response.body.errors[0].extensions.id);
    });

    test.each([
      ['is not HTTP', 'nonsense\r\n\r\n'],
      ['has headers that are too long', `GET /api/admin/events/x HTTP/1.1\r\nhost: a\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ])('a request that %s', async (_, bytes) => {
      const response = await sendBytes(gateway.url, bytes);
      expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
      expectLoggedOnce((JSON.parse(response.slice(response.indexOf('\r\n\r\n'))) as { id: string }).id);
    });

    test('500, with the cause in the log only', async () => {
      const repair = await failInserts(gateway.prisma, 'events');
      const response = await gateway.postJson(TOKENS, valid);
      await repair();
      expect(response.status).toBe(500);
      expect(Object.keys(response.body).sort()).toEqual(['id', 'message', 'name']);
      expect(response.text).not.toContain(DATABASE_SECRET);
      expectLoggedOnce(response.body.id);
      const [line = ''] = linesWith(response.body.id);
      expect(JSON.parse(line)).toMatchObject({ level: 50, errorId: response.body.id, errorName: 'InternalError' });
      expect(line).toContain(DATABASE_SECRET);
    });
  });

  test('a request → one line with its method, route, status and caller', async () => {
    const before = gateway.log.length;
    await gateway.send('/api/admin/events/some-flag?limit=1');
    const lines = gateway.log.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual([
      expect.objectContaining({ method: 'GET', route: '/api/admin/events/:featureName', status: 200, caller: 'test admin' }),
    ]);
  });

  test('a token or an invite secret anywhere in a request → never in the log', async () => {
    const created = await gateway.postJson(TOKENS, valid);
    const invite: string = created.body.secret;
    const revoked = 'flaggw_somebodys-revoked-token';
    const tokens = [gateway.adminToken, gateway.viewerToken, revoked];

    await gateway.send(`${TOKENS}/${invite}`);
    await gateway.send(`${TOKENS}/${invite}/`);
    await gateway.send(`${TOKENS}/${invite}`, { token: gateway.viewerToken });
    await gateway.send(`${TOKENS}/${invite}`, { token: revoked });
    await gateway.send(`${TOKENS}/${invite}/nothing`);
    await gateway.send(`${TOKENS}/${invite}%zz`);
    await gateway.send(`${TOKENS}/${invite}%00`);
    await gateway.send(`${TOKENS}/${invite}`, { method: 'DELETE' });
    for (const token of tokens) {
      await gateway.send('/api/admin/search/events', { token: `Bearer ${token}` });
      await gateway.send('/api/admin/search/events', { token: `Basic ${token}` });
      await gateway.send(`/api/admin/search/events?limit=${token}&authorization=${token}`);
      await gateway.send(`/api/admin/events/${token}%zz`, { token });
      await gateway.send(`/api/${token}`, { token: null });
      await gateway.send(TOKENS, { method: 'POST', headers: json, body: `{"name": "${token}` });
      await gateway.postJson(TOKENS, { name: 1, expiresAt: token });
      await sendBytes(gateway.url, `GET /x HTTP/9.9 ${token}\r\nauthorization: ${token}\r\n\r\n`);
    }
    for (const secret of [invite, ...tokens]) {
      await gateway.graphql(`{ signupToken(secret: "${secret}") { name } }`);
      await gateway.graphql(`{ signupToken(secret: "${secret}" nonsense) { name } }`);
      await gateway.graphql(`{ signupToken(secret: "${secret}") { nothing } }`);
      await gateway.graphql(`{ event(id: "${secret}") { id } }`);
      await gateway.graphql('query ($id: Int!) { event(id: $id) { id } }', { id: secret });
      await gateway.graphql('query ($secret: String!) { signupToken(secret: $secret) { name } }', { secret: [secret] });
      await gateway.send(`/graphql?query=${encodeURIComponent(`{ signupToken(secret: "${secret}") { name } }`)}`);
      await gateway.send(`/graphql?query=${encodeURIComponent(`{ signupToken(secret: "${secret}"`)}`);
    }

    const log = gateway.log.join('');
    expect(gateway.log.length).toBeGreaterThan(50);
    for (const secret of [invite, ...tokens]) expect(log.split('\n').filter((line) => line.includes(secret))).toEqual([]);
  });

  test('the database fails during a lookup → no token and no invite secret in the log', async () => {
    const { body } = await gateway.postJson(TOKENS, valid);
    await gateway.prisma.$executeRaw`ALTER TABLE public_signup_tokens RENAME COLUMN name TO other_name`;
    const read = await gateway.send(`${TOKENS}/${body.secret}`);
    const create = await gateway.postJson(TOKENS, valid);
    await gateway.prisma.$executeRaw`ALTER TABLE public_signup_tokens RENAME COLUMN other_name TO name`;
    // The token is new, because a token that was found recently is cached and not looked up.
    const token = await gateway.createToken({ name: 'not used yet' });
    await gateway.prisma.$executeRaw`ALTER TABLE gateway_api_token RENAME TO other_table`;
    const authenticate = await gateway.send('/api/admin/search/events', { token });
    await gateway.prisma.$executeRaw`ALTER TABLE other_table RENAME TO gateway_api_token`;

    for (const response of [read, create, authenticate]) {
      expect(response.status).toBe(500);
      expect(response.body.name).toBe('InternalError');
      expect(response.text).not.toMatch(/prisma|table|column|other_/i);
      expectLoggedOnce(response.body.id);
    }
    const log = gateway.log.join('');
    expect(log).not.toContain(body.secret);
    for (const secret of [gateway.adminToken, token]) expect(log).not.toContain(secret);
  });
});
