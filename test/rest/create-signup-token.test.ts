import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DATABASE_SECRET, failInserts } from '../support/break-database.js';
import { expectError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const TOKENS = '/api/admin/invite-link/tokens';
const valid = { name: 'Invite', expiresAt: '2099-01-01T00:00:00.000Z' };
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('4.3 Create a public signup token', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty', { SIGNUP_BASE_URL: 'https://flags.example.com/base//' });
  });
  afterAll(() => gateway.stop());

  const create = (body: unknown) => gateway.postJson(TOKENS, body);
  const createdEvents = async () => {
    const { body } = await gateway.send('/api/admin/search/events?type=IS:public-signup-token-created&limit=1000', {
      token: gateway.viewerToken,
    });
    return body;
  };

  test('a valid request → 201 with exactly the token of section 2.4, and its location', async () => {
    const before = Date.now();
    const { status, headers, body } = await create(valid);
    expect(status).toBe(201);
    expect(body).toEqual({
      secret: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: `https://flags.example.com/base/new-user?invite=${body.secret}`,
      ...valid,
      enabled: true,
      createdAt: expect.stringMatching(ISO),
      createdBy: 'test admin',
      users: [],
      role: { id: 3, type: 'root', name: 'Viewer' },
    });
    expect(Math.abs(Date.parse(body.createdAt) - before)).toBeLessThan(60_000);
    expect(headers.location).toBe(`${TOKENS}/${body.secret}`);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('GET on the location → the same token', async () => {
    const created = await create(valid);
    const read = await gateway.send(String(created.headers.location));
    expect(read.status).toBe(200);
    expect(read.body).toEqual(created.body);
  });

  test.each([`${TOKENS}/0123456789abcdef0123456789abcdef`, `${TOKENS}/x`])('GET %s, which is not a token → 404', async (path) => {
    expectError(await gateway.send(path), 404, 'NotFoundError');
  });

  test('GET with a NUL in the secret → 400', async () => {
    expectError(await gateway.send(`${TOKENS}/a%00b`), 400, 'BadDataError');
  });

  test('an import has taken the id of the next event → 503 and nothing created; the next request → 201', async () => {
    const { prisma } = gateway;
    const tokensBefore = await prisma.publicSignupToken.count();
    const [last] = await prisma.$queryRaw<{ id: bigint }[]>`SELECT last_value AS id FROM events_id_seq`;
    await prisma.event.create({ data: { id: Number(last?.id) + 1, type: 'feature-created', createdBy: 'import' } });
    expectError(await create(valid), 503, 'ServiceUnavailableError');
    expect(await prisma.publicSignupToken.count()).toBe(tokensBefore);
    expect((await create(valid)).status).toBe(201);
  });

  test('the same request twice → two tokens', async () => {
    const [first, second] = [await create(valid), await create(valid)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.secret).not.toBe(second.body.secret);
  });

  test.each([
    ['2099-06-01T12:00:00+02:00', '2099-06-01T10:00:00.000Z'],
    ['2099-06-01T12:00:00.5-00:30', '2099-06-01T12:30:00.500Z'],
    ['2099-06-01t12:00:00z', '2099-06-01T12:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2096-02-29T00:00:00Z', '2096-02-29T00:00:00.000Z'],
  ])('expiresAt %s → stored as the instant %s', async (expiresAt, instant) => {
    const { status, body } = await create({ name: 'a', expiresAt });
    expect({ status, expiresAt: body.expiresAt, enabled: body.enabled }).toEqual({
      status: 201,
      expiresAt: instant,
      enabled: true,
    });
  });

  test.each(['2020-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])(
    'expiresAt %s in the past → 201 with enabled false, also when read and in the event',
    async (expiresAt) => {
      const created = await create({ name: 'past', expiresAt });
      expect(created.status).toBe(201);
      expect(created.body.enabled).toBe(false);
      expect((await gateway.send(String(created.headers.location))).body.enabled).toBe(false);
      expect((await createdEvents()).events[0].data).toMatchObject({ name: 'past', enabled: false });
    },
  );

  test('a token that was disabled or has expired → enabled false when read', async () => {
    const { body } = await create(valid);
    const read = async () => (await gateway.send(`${TOKENS}/${body.secret}`)).body.enabled;
    const update = (data: { enabled?: boolean; expiresAt?: Date }) =>
      gateway.prisma.publicSignupToken.update({ where: { secret: body.secret }, data });
    await update({ enabled: false });
    expect(await read()).toBe(false);
    await update({ enabled: true });
    expect(await read()).toBe(true);
    await update({ expiresAt: new Date(Date.now() - 1) });
    expect(await read()).toBe(false);
  });

  test.each(['  blanks around  ', 'ä🚩', '<script>', "Robert'); DROP TABLE events;--", 'x'.repeat(50_000)])(
    'the name %# → stored as given',
    async (name) => {
      const { status, body } = await create({ ...valid, name });
      expect({ status, name: body.name }).toEqual({ status: 201, name });
    },
  );

  test('the event of a creation → the token without secret and url', async () => {
    const { total } = await createdEvents();
    const { body: created } = await create({ ...valid, name: 'with event' });
    const { secret, url, ...token } = created;
    const after = await createdEvents();
    expect(after.total).toBe(total + 1);
    expect(after.events[0]).toMatchObject({
      type: 'public-signup-token-created',
      createdBy: 'test admin',
      createdByUserId: null,
      featureName: null,
      project: null,
      environment: null,
      data: token,
      preData: null,
      tags: [],
    });
    expect(Object.keys(after.events[0].data).sort()).toEqual(Object.keys(token).sort());
    expect(JSON.stringify(after)).not.toContain(secret);
  });

  test.each(['events', 'public_signup_tokens'] as const)(
    'the insert into %s fails → neither token nor event, and a masked 500',
    async (table) => {
      const counts = async () => [await gateway.prisma.publicSignupToken.count(), await gateway.prisma.event.count()];
      const before = await counts();
      const repair = await failInserts(gateway.prisma, table);
      const response = await create(valid);
      await repair();
      expectError(response, 500, 'InternalError');
      expect(response.text).not.toContain(DATABASE_SECRET);
      expect(response.text).not.toMatch(/prisma|insert|trigger|\.ts|\bat \S+:\d+/i);
      expect(response.headers.location).toBeUndefined();
      expect(await counts()).toEqual(before);
      expect((await create(valid)).status).toBe(201);
    },
  );
});
