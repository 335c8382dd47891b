import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config.js';
import { startGateway } from '../../src/gateway.js';
import { DISK_FULL, fillDisk, makeReadOnly } from '../support/break-database.js';
import { expectError, expectGraphqlError } from '../support/expect-error.js';
import { isPostgres } from '../support/test-database.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const TOKENS = '/api/admin/invite-link/tokens';
const SEARCH = '/api/admin/search/events?query=rollout&limit=2';
const valid = { name: 'Invite', expiresAt: '2099-01-01T00:00:00.000Z' };
const CREATE = `mutation ($input: PublicSignupTokenCreateInput!, $key: String) {
  createPublicSignupToken(input: $input, idempotencyKey: $key) { secret }
}`;
const CONFIGURED_ADMIN = 'configured-admin-token';
const SQL = /SELECT|INSERT|UPDATE|DELETE|transaction|public_signup_tokens|gateway_|25006|53100/;

/** @returns a function that repairs the database */
type Break = (gateway: TestGateway) => Promise<() => Promise<void>>;

describe.each<[string, Break]>([
  ['read-only', makeReadOnly],
  ['out of disk space', fillDisk],
])('while the database is %s', (_, breakDatabase) => {
  let gateway: TestGateway;
  let reader: string;
  beforeAll(async () => {
    gateway = await startTestGateway('log', {
      FAILED_LOGINS_PER_MINUTE: '3',
      TRUSTED_PROXIES: '127.0.0.1',
      INIT_ADMIN_API_TOKENS: CONFIGURED_ADMIN,
    });
    reader = await gateway.createToken({ name: 'reader' });
    await breakDatabase(gateway);
  });
  afterAll(() => gateway.stop());

  // With a token that was never used, each request records the use and claims a first share of the budget.
  test.each([
    ['a search', SEARCH],
    ['the events of a flag', '/api/admin/events/dark_mode'],
    ['GraphQL', `/graphql?query=${encodeURIComponent('{ events(first: 2) { totalCount nodes { id data } } }')}`],
    ['a readiness check', '/readyz'],
  ])('%s with a token that was never used → 200', async (_what, path) => {
    const { status, text } = await gateway.send(path, { token: reader });
    expect({ status, text }).toEqual({ status: 200, text: expect.not.stringContaining('"errors"') });
  });

  test('an export → 503 with the reason, because no watermark was found before', async () => {
    const response = await gateway.send('/v1/events/export', { token: reader });
    expectError(response, 503, 'ServiceUnavailableError');
    expect(response.body.message).toMatch(/^The database accepts no changes now/);
    expect(response.text).not.toMatch(SQL);
  });

  const count = async () => [await gateway.prisma.publicSignupToken.count(), await gateway.prisma.event.count()];
  const withHeaders = (headers: Record<string, string>) => () => gateway.postJson(TOKENS, valid, { headers });
  const withKey = (key: string | null) => () => gateway.graphql(CREATE, { input: valid, key });
  test.each([
    ['over REST', withHeaders({})],
    ['over REST with an idempotency key', withHeaders({ 'idempotency-key': 'rest' })],
    ['over GraphQL', withKey(null)],
    ['over GraphQL with an idempotency key', withKey('graphql')],
  ])('a creation %s → 503 with Retry-After, the cause in the log only, and nothing created', async (_how, create) => {
    const before = await count();
    const response = await create();
    if (response.body.errors) expectGraphqlError(response, 'SERVICE_UNAVAILABLE', 'ServiceUnavailableError');
    else expectError(response, 503, 'ServiceUnavailableError');
    expect({ status: response.status, text: response.text }).toEqual({ status: 503, text: expect.not.stringMatching(SQL) });
    expect(response.text).not.toContain(DISK_FULL);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    const { id } = response.body.errors?.[0].extensions ?? response.body;
    expect(gateway.log.filter((line) => line.includes(id))).toEqual([expect.stringMatching(/read-only|No space left/)]);
    expect(await count()).toEqual(before);
  });

  test('wrong tokens → 401, and 429 beyond the limit', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    const statuses: number[] = [];
    for (const token of ['flaggw_wrong_1', 'flaggw_wrong_2', 'flaggw_wrong_3', 'flaggw_wrong_4']) {
      statuses.push((await gateway.send(SEARCH, { token, headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  (isPostgres ? test : test.skip).each([
    ['a configured administrator', CONFIGURED_ADMIN],
    ['no configured administrator', ''],
  ])('a gateway that starts with %s → serves reads', async (_administrator, secret) => {
    const environment = { HOST: '127.0.0.1', PORT: '0', GRAPHIQL: 'false', LOG_LEVEL: 'silent', ...gateway.databaseEnv };
    const other = await startGateway(parseConfig({ ...environment, INIT_ADMIN_API_TOKENS: secret }));
    try {
      const headers = { authorization: gateway.adminToken };
      expect((await fetch(`${other.url}${SEARCH}`, { headers })).status).toBe(200);
    } finally {
      await other.stop();
    }
  });

  test('a failed creation, sent again with its idempotency key after the repair → 201', async () => {
    const repaired = await startTestGateway();
    try {
      const create = () => repaired.postJson(TOKENS, valid, { headers: { 'idempotency-key': 'again' } });
      const repair = await breakDatabase(repaired);
      expect((await create()).status).toBe(503);
      await repair();
      expect((await create()).status).toBe(201);
    } finally {
      await repaired.stop();
    }
  });
});
