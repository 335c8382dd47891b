import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config.js';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { detailsOf, expectError, expectGraphqlError } from '../support/expect-error.js';
import type { Answer } from '../support/send-raw.js';
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
  const whole = ({ status, headers, text }: Answer) => ({ status, location: headers.location, text });

  test('sent again → the first answer, and nothing more created', async () => {
    const before = await count();
    const first = await create('again');
    const second = await create('again', { expiresAt: '2099-01-01T01:00:00+01:00', name: 'Invite' });
    expect(first.status).toBe(201);
    expect(whole(second)).toEqual(whole(first));
    expect(await count()).toEqual(before.map((n) => n + 1));
  });

  test('over GraphQL → the answer that REST gave, to the byte', async () => {
    const first = await create('both');
    const { body } = await gateway.graphql(CREATE, { input: valid, key: 'both' });
    expect(body.data.createPublicSignupToken).toMatchObject({ secret: first.body.secret, createdAt: first.body.createdAt });
  });

  test('whose token is gone, or has expired since → still the first answer', async () => {
    const first = await create('changed');
    await gateway.prisma.publicSignupToken.delete({ where: { secret: first.body.secret } });
    expect((await create('changed')).body).toEqual(first.body);

    const { users: _, ...token } = first.body;
    const answer = { ...token, createdAt: '2020-01-01T00:00:00.000Z', expiresAt: '2020-02-01T00:00:00.000Z' };
    await gateway.prisma.idempotencyKey.updateMany({ where: { key: 'changed' }, data: { answer } });
    expect((await create('changed')).body).toMatchObject({ expiresAt: answer.expiresAt, enabled: true });
  });

  test('with another request → 409', async () => {
    await create('taken');
    const before = await count();
    expectError(await create('taken', { ...valid, name: 'Another' }), 409, 'IdempotencyConflictError');
    const overGraphql = await gateway.graphql(CREATE, { input: { ...valid, name: 'Another' }, key: 'taken' });
    expectGraphqlError(overGraphql, 'CONFLICT', 'IdempotencyConflictError');
    expect(await count()).toEqual(before);
  });

  test('by another caller → a token of its own', async () => {
    const other = await gateway.createToken({ role: 'ADMIN' });
    const [mine, theirs] = [await create('shared'), await create('shared', valid, other)];
    expect(theirs.status).toBe(201);
    expect(theirs.body.secret).not.toBe(mine.body.secret);
  });

  test('after a day → a new token, and the old answer is gone', async () => {
    const first = await create('old');
    await gateway.prisma.idempotencyKey.updateMany({
      where: { key: 'old' },
      data: { createdAt: new Date(Date.now() - 24 * 60 * 60 * 1000 - 1000) },
    });
    const second = await create('old');
    expect(second.body.secret).not.toBe(first.body.secret);
    expect(await gateway.prisma.idempotencyKey.count({ where: { key: 'old' } })).toBe(1);
  });

  test('of a request that was refused → may be used for the right one', async () => {
    expectError(await create('refused', { ...valid, name: ' ' }), 400, 'BadDataError');
    expect((await create('refused')).status).toBe(201);
  });

  test.each([
    ['a blank', 'a b'],
    ['too long', 'x'.repeat(256)],
    ['empty', ''],
  ])('that is no key: %s → 400', async (_, key) => {
    const answer = await create(key);
    expectError(answer, 400, 'BadDataError');
    expect(detailsOf(answer)).toEqual([expect.stringMatching(/^idempotencyKey must be /)]);
  });

  (isPostgres ? test : test.skip)('two hundred at once over two gateways → one token, one event, equal answers', async () => {
    const other: Gateway = await startGateway(
      parseConfig({ HOST: '127.0.0.1', PORT: '0', GRAPHIQL: 'false', LOG_LEVEL: 'silent', ...gateway.databaseEnv }),
    );
    try {
      const before = await count();
      const answers = await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          const response = await fetch(`${index % 2 ? gateway.url : other.url}${TOKENS}`, {
            method: 'POST',
            headers: { authorization: gateway.adminToken, 'content-type': 'application/json', 'idempotency-key': 'parallel' },
            body: JSON.stringify(valid),
          });
          return `${response.status} ${response.headers.get('location')} ${await response.text()}`;
        }),
      );
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toMatch(/^201 /);
      expect(await count()).toEqual(before.map((n) => n + 1));
    } finally {
      await other.stop();
    }
  });
});
