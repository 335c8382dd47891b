import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiTokenRequest } from '../../src/auth/api-token.service.js';
import { expectGraphqlError } from '../support/expect-error.js';
import { startHttpServer } from '../support/http-server.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const VIEWER = '{ viewer { name role projects expiresAt } }';

/** The users of the Unleash server, by token. */
const USERS: Readonly<Record<string, unknown>> = {
  'unleash-admin': { user: { id: 1, username: 'ada', projects: ['*'] }, permissions: [{ permission: 'ADMIN' }] },
  'unleash-user': { user: { id: 2, email: 'bruno@example.com' }, permissions: [] },
  'unleash-limited': { user: { id: 3, username: 'chidi', projects: ['default'] }, permissions: [] },
};

describe('viewer', () => {
  let unleash: Awaited<ReturnType<typeof startHttpServer>>;
  let gateway: TestGateway;
  beforeAll(async () => {
    unleash = await startHttpServer(({ headers }, response) => {
      const user = USERS[headers.authorization ?? ''];
      response.writeHead(user ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(user ?? {}));
    });
    gateway = await startTestGateway('empty', { UNLEASH_URL: unleash.url });
  });
  afterAll(async () => {
    await gateway.stop();
    await unleash.stop();
  });

  const viewerOf = async (token: string) => {
    const { body } = await gateway.graphql(VIEWER, {}, { token });
    expect(body.errors).toBeUndefined();
    return body.data.viewer;
  };

  test.each<[Partial<ApiTokenRequest>, object]>([
    [{ name: 'dashboard' }, { name: 'dashboard', role: 'VIEWER', projects: null, expiresAt: null }],
    [
      { name: 'ci', role: 'ADMIN' },
      { name: 'ci', role: 'ADMIN', projects: null, expiresAt: null },
    ],
    [
      { name: 'portal', projects: ['payments', 'default'], expiresAt: new Date('2099-01-02T03:04:05Z') },
      { name: 'portal', role: 'VIEWER', projects: ['payments', 'default'], expiresAt: '2099-01-02T03:04:05.000Z' },
    ],
    [
      { name: 'limited admin', role: 'ADMIN', projects: ['default'] },
      { name: 'limited admin', role: 'ADMIN', projects: ['default'], expiresAt: null },
    ],
    [
      { name: 'nothing', projects: [] },
      { name: 'nothing', role: 'VIEWER', projects: [], expiresAt: null },
    ],
  ])('a token created with %j → %j', async (request, viewer) => {
    expect(await viewerOf(await gateway.createToken(request))).toEqual(viewer);
  });

  test.each([
    ['unleash-admin', { name: 'ada', role: 'ADMIN', projects: null }],
    ['unleash-user', { name: 'bruno@example.com', role: 'VIEWER', projects: null }],
    ['unleash-limited', { name: 'chidi', role: 'VIEWER', projects: ['default'] }],
  ])('the Unleash token %s → %j, without an expiry', async (token, viewer) => {
    expect(await viewerOf(token)).toEqual({ ...viewer, expiresAt: null });
  });

  test.each<[Partial<ApiTokenRequest>, boolean, RegExp | null]>([
    [{ role: 'ADMIN' }, true, null],
    [{ role: 'VIEWER' }, false, /needs the ADMIN permission, which you do not have/],
    [{ role: 'ADMIN', projects: ['default'] }, false, /for all projects, but you have it for some only/],
  ])('a token with %j → whether it can invite, and why not', async (request, canInvite, refusal) => {
    const token = await gateway.createToken(request);
    const { body } = await gateway.graphql('{ viewer { canInvite inviteRefusal acceptsIdempotencyKeys } }', {}, { token });
    expect(body.data.viewer).toEqual({
      canInvite,
      inviteRefusal: refusal === null ? null : expect.stringMatching(refusal),
      acceptsIdempotencyKeys: true,
    });
  });

  test('a mirror → cannot invite, and says where to do so', async () => {
    await gateway.prisma.mirror.create({ data: { id: 1, source: 'https://unleash.example.com' } });
    try {
      const { body } = await gateway.graphql('{ viewer { canInvite inviteRefusal } }');
      expect(body.data.viewer).toEqual({
        canInvite: false,
        inviteRefusal: expect.stringContaining('https://unleash.example.com'),
      });
    } finally {
      await gateway.prisma.mirror.deleteMany();
    }
  });

  test('no token or an unknown one → UNAUTHENTICATED', async () => {
    expectGraphqlError(await gateway.graphql(VIEWER, {}, { token: null }), 'UNAUTHENTICATED', 'AuthenticationRequired');
    expectGraphqlError(await gateway.graphql(VIEWER, {}, { token: 'unknown' }), 'UNAUTHENTICATED', 'UnauthorizedError');
  });

  test('by GET → not cached, and its cost is 1', async () => {
    const extensions = encodeURIComponent('{"cost":true}');
    const { headers, body } = await gateway.send(`/graphql?query=${encodeURIComponent(VIEWER)}&extensions=${extensions}`);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toBeUndefined();
    expect(body.extensions.cost.cost).toBe(1);
  });
});
