import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiTokenService } from '../../src/auth/api-token.service.js';
import { createApiTokenStore } from '../../src/auth/api-token.store.js';
import { parseConfig } from '../../src/config.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { expectError, expectGraphqlError } from '../support/expect-error.js';
import { createTestDatabase, isPostgres } from '../support/test-database.js';
import { type RequestOptions, startTestGateway, type TestGateway } from '../support/test-gateway.js';

const CLOSED = '/api/admin/search/events?limit=1';
const TOKENS = '/api/admin/invite-link/tokens';

describe('5 Authentication', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty', { GRAPHIQL: 'true' });
  });
  afterAll(() => gateway.stop());

  const statusWith = async (authorization: string) =>
    (await gateway.send(CLOSED, { token: null, headers: { authorization } })).status;

  describe('the authorization header', () => {
    test.each([
      ['the token', (token: string) => token],
      ['Bearer and the token', (token: string) => `Bearer ${token}`],
      ['bearer in lower case', (token: string) => `bearer ${token}`],
      ['bearer in mixed case', (token: string) => `bEaReR ${token}`],
      ['blanks around the token', (token: string) => `  \t${token}\t `],
      ['several blanks after Bearer', (token: string) => `Bearer \t  ${token}  `],
    ])('%s → accepted', async (_, write) => {
      expect(await statusWith(write(gateway.adminToken))).toBe(200);
    });

    test('missing or empty → 401 AuthenticationRequired with the advice to log in', async () => {
      for (const headers of [{}, { authorization: '' }, { authorization: '  ' }]) {
        const response = await gateway.send(CLOSED, { token: null, headers });
        expectError(response, 401, 'AuthenticationRequired');
        expect(response.body.message).toMatch(/log in/i);
      }
    });

    test.each([
      ['an unknown token', () => 'flaggw_unknown'],
      ['a token with an extra character', (token: string) => `${token}x`],
      ['a truncated token', (token: string) => token.slice(0, -1)],
      ['a token in another case', (token: string) => token.toUpperCase()],
      ['another scheme', (token: string) => `Basic ${token}`],
      ['the scheme alone', () => 'Bearer '],
      ['Bearer twice', (token: string) => `Bearer Bearer ${token}`],
      ['the hash of a token', (token: string) => createHash('sha256').update(token).digest('hex')],
      ['characters outside ASCII', () => 'Bearer \u00e9\u00ff'],
      ['a quote and SQL', () => "' OR 1=1 --"],
    ])('%s → 401 UnauthorizedError', async (_, write) => {
      const authorization = write(gateway.adminToken);
      expectError(await gateway.send(CLOSED, { token: null, headers: { authorization } }), 401, 'UnauthorizedError');
    });

    test('an expired token → 401 UnauthorizedError; one that expires later → 200', async () => {
      const expired = await gateway.createToken({ expiresAt: new Date(Date.now() - 1) });
      const valid = await gateway.createToken({ expiresAt: new Date(Date.now() + 3_600_000) });
      expectError(await gateway.send(CLOSED, { token: expired }), 401, 'UnauthorizedError');
      expect(await statusWith(valid)).toBe(200);
    });

    test('a revoked token → soon 401 UnauthorizedError, and from then on', async () => {
      const token = await gateway.createToken({ name: 'to revoke' });
      expect(await statusWith(token)).toBe(200);
      await createApiTokenService(createApiTokenStore(gateway.database)).revoke('to revoke');
      const revokedAt = performance.now();
      // A token that was found valid is cached for a quarter of a second, even if it is used all the time.
      while ((await statusWith(token)) === 200) expect(performance.now() - revokedAt).toBeLessThan(5_000);
      for (let n = 0; n < 20; n += 1) expectError(await gateway.send(CLOSED, { token }), 401, 'UnauthorizedError');
    });
  });

  describe('no valid token → 401 before any other check', () => {
    const json = { 'content-type': 'application/json' };
    test.each<[string, string, RequestOptions]>([
      ['the event list', '/api/admin/events/x', {}],
      ['the event list of an undecodable name', '/api/admin/events/%E0%A4%A', {}],
      ['a lone percent sign', '/api/admin/events/100%', {}],
      ['a NUL in the name', '/api/admin/events/a%00b', {}],
      ['the search', CLOSED, {}],
      ['an invalid search', '/api/admin/search/events?limit=x&limit=y', {}],
      ['a creation', TOKENS, { method: 'POST', headers: json, body: '{"name":"a","expiresAt":"2030-01-01T00:00:00Z"}' }],
      ['an invalid body', TOKENS, { method: 'POST', headers: json, body: '{}' }],
      ['a body that is not JSON', TOKENS, { method: 'POST', headers: json, body: '{' }],
      ['a wrong content type', TOKENS, { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' }],
      ['a body that is too large', TOKENS, { method: 'POST', headers: json, body: `"${'x'.repeat(200_000)}"` }],
      ['a signup token', `${TOKENS}/0123456789abcdef0123456789abcdef`, {}],
      ['an unknown path', '/api/admin/nothing', {}],
      ['an unknown path outside of admin', '/api/nothing', {}],
      ['an unknown path of a version', '/v1/nothing', {}],
      ['an unknown path with an escape', '/%61pi/admin/nothing', {}],
      ['an unknown path with an origin', 'http://gateway.example/api/admin/nothing', {}],
      ['an unknown method', '/api/admin/search/events', { method: 'DELETE' }],
      ['a doubled slash', '/api//admin/search/events', {}],
      ['a trailing slash', '/api/admin/search/events/', {}],
    ])('%s', async (_, path, options) => {
      expectError(await gateway.send(path, { ...options, token: null }), 401, 'AuthenticationRequired');
      expectError(await gateway.send(path, { ...options, token: 'unknown' }), 401, 'UnauthorizedError');
    });

    test.each(['/api/admin/invite-link/tokens', '/graphql'])('%s → 401 without waiting for the body', async (path) => {
      const status = await new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'content-length': '1000' };
        const request = httpRequest(`${gateway.url}${path}`, { method: 'POST', headers }, (response) => {
          resolve(response.statusCode);
          request.destroy();
        });
        request.on('error', reject).flushHeaders();
      });
      expect(status).toBe(401);
    });

    test('GraphQL → 401 as a GraphQL error', async () => {
      const query = '{ event(id: 1) { id } }';
      const missing = await gateway.graphql(query, {}, { token: null });
      const unknown = await gateway.graphql(query, {}, { token: 'unknown' });
      expect([missing.status, unknown.status]).toEqual([401, 401]);
      expectGraphqlError(missing, 'UNAUTHENTICATED', 'AuthenticationRequired');
      expectGraphqlError(unknown, 'UNAUTHENTICATED', 'UnauthorizedError');
      expectGraphqlError(
        await gateway.graphql('{ not a document', {}, { token: null }),
        'UNAUTHENTICATED',
        'AuthenticationRequired',
      );
    });
  });

  describe('paths', () => {
    test.each([
      ['GET', '/api'],
      ['GET', '/api/admin/events'],
      ['GET', '/api/admin/nothing'],
      ['DELETE', '/api/admin/search/events'],
      ['POST', '/api/admin/events/x'],
      ['PUT', TOKENS],
      ['GET', '//api/admin/search/events'],
      ['GET', '/api//admin/search/events'],
      ['GET', '/api/admin/search/events//'],
      ['GET', '/API/admin/search/events'],
      ['GET', '/api/admin/Search/Events'],
    ])('%s %s → 404 NotFoundError', async (method, path) => {
      expectError(await gateway.send(path, { method }), 404, 'NotFoundError');
    });

    test('a trailing slash → accepted', async () => {
      const { status, body } = await gateway.send('/api/admin/events/some-flag/');
      expect({ status, toggleName: body.toggleName }).toEqual({ status: 200, toggleName: 'some-flag' });
      expect((await gateway.send('/api/admin/search/events/?limit=1')).status).toBe(200);
    });

    test.each(['/livez', '/readyz', '/openapi.json', '/graphiql/', '/', '/events/1'])('%s → needs no token', async (path) => {
      expect((await gateway.send(path, { token: null })).status).toBe(200);
      expect((await gateway.send(path, { token: 'unknown' })).status).toBe(200);
    });
  });

  test('the database → only the SHA-256 of a token', async () => {
    const token = await gateway.createToken({ name: 'kept' });
    const rows = await gateway.prisma.$queryRaw<{ row: string }[]>`SELECT t::text AS row FROM gateway_api_token t`;
    const all = rows.map(({ row }) => row).join('\n');
    expect(all).toContain(createHash('sha256').update(token).digest('hex'));
    for (const secret of [token, gateway.adminToken, gateway.viewerToken]) {
      expect(all).not.toContain(secret);
      expect(all).not.toContain(secret.replace('flaggw_', ''));
    }
  });
});

describe('API tokens at start', () => {
  test('INIT_ADMIN_API_TOKENS → each listed token is an ADMIN, and no first token is created', async () => {
    const gateway = await startTestGateway('empty', { INIT_ADMIN_API_TOKENS: 'secret-one, secret-two,' });
    const body = { name: 'a', expiresAt: '2030-01-01T00:00:00Z' };
    expect((await gateway.postJson(TOKENS, body, { token: 'secret-one' })).status).toBe(201);
    expect((await gateway.postJson(TOKENS, body, { token: 'secret-two' })).status).toBe(201);
    expectError(await gateway.send(CLOSED, { token: 'secret-one, secret-two,' }), 401, 'UnauthorizedError');
    expect(gateway.firstAdminToken).toBeNull();
    await gateway.stop();
  });

  test('no token exists → a first ADMIN token is created; the next start → none', async () => {
    const database = await createTestDatabase('empty');
    const config = parseConfig({ PORT: '0', GRAPHIQL: 'false', LOG_LEVEL: 'silent', ...database.env });
    const first = await startGateway(config);
    const response = await fetch(`${first.url}${CLOSED}`, { headers: { authorization: String(first.firstAdminToken) } });
    expect(response.status).toBe(200);
    await first.stop();

    const second = await startGateway(config);
    expect(second.firstAdminToken).toBeNull();
    const again = await fetch(`${second.url}${CLOSED}`, { headers: { authorization: String(first.firstAdminToken) } });
    expect(again.status).toBe(200);
    await second.stop();
    await database.drop();
  });

  (isPostgres ? test : test.skip)('two gateways start at once → one creates the first token', async () => {
    const database = await createTestDatabase('nothing');
    const config = parseConfig({ PORT: '0', GRAPHIQL: 'false', LOG_LEVEL: 'silent', ...database.env });
    const gateways: Gateway[] = await Promise.all([startGateway(config), startGateway(config)]);
    expect(gateways.filter(({ firstAdminToken }) => firstAdminToken !== null)).toHaveLength(1);
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await database.drop();
  });
});
