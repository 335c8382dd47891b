import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { detailsOf, expectError, expectGraphqlError } from '../support/expect-error.js';
import type { RawResponse } from '../support/send-raw.js';
import { isPostgres } from '../support/test-database.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const TOKENS = '/api/admin/invite-link/tokens';
const valid = { name: 'Invite', expiresAt: '2099-01-01T00:00:00.000Z' };
const CREATE = `mutation ($input: PublicSignupTokenCreateInput!, $key: String) {
  createPublicSignupToken(input: $input, idempotencyKey: $key) { secret url name enabled expiresAt createdAt createdBy role { id } users { id } }
}`;

describe('a creation with an idempotency key', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const create = (key: string, body: object = valid, token = gateway.adminToken) =>
    gateway.postJson(TOKENS, body, { token, headers: { 'idempotency-key': key } });
  const count = async () => [
    await gateway.prisma.publicSignupToken.count(),
    await gateway.prisma.event.count({ where: { type: 'public-signup-token-created' } }),
  ];
  const comparable = ({ status, headers, text }: RawResponse) => ({ status, location: headers.location, text });

  test('sent again → the first response, and nothing else is created', async () => {
    const before = await count();
    const first = await create('again');
    const second = await create('again', { expiresAt: '2099-01-01T01:00:00+01:00', name: 'Invite' });
    expect(first.status).toBe(201);
    expect(comparable(second)).toEqual(comparable(first));
    expect(await count()).toEqual(before.map((n) => n + 1));
  });

  test('sent again over GraphQL → the token of the first response', async () => {
    const first = await create('both');
    const { body } = await gateway.graphql(CREATE, { input: valid, key: 'both' });
    expect(body.data.createPublicSignupToken).toMatchObject({ secret: first.body.secret, createdAt: first.body.createdAt });
  });

  test('token deleted or expired since → still the first response', async () => {
    const first = await create('changed');
    await gateway.prisma.publicSignupToken.delete({ where: { secret: first.body.secret } });
    expect((await create('changed')).body).toEqual(first.body);

    const { users: _, ...token } = first.body;
    const stored = { ...token, createdAt: '2020-01-01T00:00:00.000Z', expiresAt: '2020-02-01T00:00:00.000Z' };
    await gateway.prisma.idempotencyKey.updateMany({ where: { key: 'changed' }, data: { answer: stored } });
    expect((await create('changed')).body).toMatchObject({ expiresAt: stored.expiresAt, enabled: true });
  });

  test('used for another request → 409', async () => {
    await create('taken');
    const before = await count();
    expectError(await create('taken', { ...valid, name: 'Another' }), 409, 'IdempotencyConflictError');
    const overGraphql = await gateway.graphql(CREATE, { input: { ...valid, name: 'Another' }, key: 'taken' });
    expectGraphqlError(overGraphql, 'CONFLICT', 'IdempotencyConflictError');
    expect(await count()).toEqual(before);
  });

  test('used by another caller → a token of its own', async () => {
    const other = await gateway.createToken({ role: 'ADMIN' });
    const [mine, theirs] = [await create('shared'), await create('shared', valid, other)];
    expect(theirs.status).toBe(201);
    expect(theirs.body.secret).not.toBe(mine.body.secret);
  });

  test('after a day → a new token, and the old response is deleted', async () => {
    const first = await create('old');
    await gateway.prisma.idempotencyKey.updateMany({
      where: { key: 'old' },
      data: { createdAt: new Date(Date.now() - 24 * 60 * 60 * 1000 - 1000) },
    });
    const second = await create('old');
    expect(second.body.secret).not.toBe(first.body.secret);
    expect(await gateway.prisma.idempotencyKey.count({ where: { key: 'old' } })).toBe(1);
  });

  test('of a rejected request → may be used for a valid one', async () => {
    expectError(await create('refused', { ...valid, name: ' ' }), 400, 'BadDataError');
    expect((await create('refused')).status).toBe(201);
  });

  test.each([
    ['a blank', 'a b'],
    ['too long', 'x'.repeat(256)],
    ['empty', ''],
  ])('with an invalid key (%s) → 400', async (_, key) => {
    const response = await create(key);
    expectError(response, 400, 'BadDataError');
    expect(detailsOf(response)).toEqual([expect.stringMatching(/^idempotencyKey must be /)]);
  });

  (isPostgres ? test : test.skip)(
    'sent 200 times at once over two gateways → one token, one event, equal responses',
    async () => {
      const other: Gateway = await startGateway(
        parseConfig({ HOST: '127.0.0.1', PORT: '0', GRAPHIQL: 'false', LOG_LEVEL: 'silent', ...gateway.databaseEnv }),
      );
      try {
        const before = await count();
        const responses = await Promise.all(
          Array.from({ length: 200 }, async (_, index) => {
            const response = await fetch(`${index % 2 ? gateway.url : other.url}${TOKENS}`, {
              method: 'POST',
              headers: { authorization: gateway.adminToken, 'content-type': 'application/json', 'idempotency-key': 'parallel' },
              body: JSON.stringify(valid),
            });
            return `${response.status} ${response.headers.get('location')} ${await response.text()}`;
          }),
        );
        expect(new Set(responses).size).toBe(1);
        expect(responses[0]).toMatch(/^201 /);
        expect(await count()).toEqual(before.map((n) => n + 1));
      } finally {
        await other.stop();
      }
    },
  );
});
