import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DATABASE_SECRET, refuseInserts } from '../support/break-database.js';
import { detailsOf, expectError } from '../support/expect-error.js';
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
    const { body } = await gateway.send('/api/admin/search/events?type=IS:public-signup-token-created&limit=1000', { token: gateway.viewerToken });
    return body;
  };

  test('a valid request → 201, the token of section 2.4 and nothing else, and its location', async () => {
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

  test.each([`${TOKENS}/0123456789abcdef0123456789abcdef`, `${TOKENS}/x`, `${TOKENS}/a%00b`])('GET %s, which is no token → 404', async (path) => {
    expectError(await gateway.send(path), 404, 'NotFoundError');
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
  ])('expiresAt %s is kept as that instant, however far', async (expiresAt, instant) => {
    const { status, body } = await create({ name: 'a', expiresAt });
    expect({ status, expiresAt: body.expiresAt, enabled: body.enabled }).toEqual({ status: 201, expiresAt: instant, enabled: true });
  });

  test.each(['2020-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])('expiresAt %s in the past → 201, not enabled, also when read and in the event', async (expiresAt) => {
    const created = await create({ name: 'past', expiresAt });
    expect(created.status).toBe(201);
    expect(created.body.enabled).toBe(false);
    expect((await gateway.send(String(created.headers.location))).body.enabled).toBe(false);
    expect((await createdEvents()).events[0].data).toMatchObject({ name: 'past', enabled: false });
  });

  test('a token that was disabled → not enabled when read; one that expired since → neither', async () => {
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

  test.each(['  blanks around  ', 'ä🚩', '<script>', "Robert'); DROP TABLE events;--", 'x'.repeat(50_000)])('the name %# is kept as given', async (name) => {
    const { status, body } = await create({ ...valid, name });
    expect({ status, name: body.name }).toEqual({ status: 201, name });
  });

  describe('what is not valid is answered 400 that names the field and the rule', () => {
    const NAME = /^name must be a text/;
    const EXPIRES_AT = /^expiresAt must be an RFC 3339 date-time with a zone/;
    const cases: [unknown, RegExp[]][] = [
      ...[undefined, null, '', '  ', '\t\n', '\u00a0', 'a\0b', 1, true, ['a'], {}].map((name): [unknown, RegExp[]] => [{ ...valid, name }, [NAME]]),
      ...[undefined, null, '', 'tomorrow', '2099-01-01', '2099-01-01T00:00:00', '2099-01-01 00:00:00Z', '2099-01-01T00:00Z', '2099-02-30T00:00:00Z', '2099-01-01T24:00:00Z', '2099-01-01T00:60:00Z', '2099-01-01T00:00:61Z', '2099-01-01T00:00:00+25:00', '2099-01-01T00:00:00+0100', '+012099-01-01T00:00:00Z', '0000-01-01T00:00:00Z', 'Fri, 01 Jan 2099 00:00:00 GMT', ' 2099-01-01T00:00:00Z', '2099-01-01T00:00:00Z\n', 4070908800000, true, [], {}].map(
        (expiresAt): [unknown, RegExp[]] => [{ ...valid, expiresAt }, [EXPIRES_AT]],
      ),
      [{ ...valid, secret: 'mine' }, [/^secret is not a field/]],
      [{ ...valid, enabled: true, role: 1 }, [/^enabled is not a field/, /^role is not a field/]],
      [{ ...valid, Name: 'a' }, [/^Name is not a field/]],
      [{}, [NAME, EXPIRES_AT]],
      [{ name: '', expiresAt: 'x', extra: 1 }, [/^extra is not a field/, NAME, EXPIRES_AT]],
      ...[null, [], [valid], 'text', 1, true].map((body): [unknown, RegExp[]] => [body, [/^body must be a JSON object/]]),
    ];
    test.each(cases)('%j', async (body, rules) => {
      const answer = await create(body);
      expectError(answer, 400, 'BadDataError');
      expect(detailsOf(answer)).toEqual(rules.map((rule) => expect.stringMatching(rule)));
    });

    test.each(['', '{', '{"name":"a",}', "{'name':'a'}", 'name=a', '{"name":"a"}{}', '\u0000'])('the body %j is not JSON', async (body) => {
      expectError(await gateway.send(TOKENS, { method: 'POST', headers: { 'content-type': 'application/json' }, body }), 400, 'BadDataError');
    });

    test('a body that would change the prototype is refused', async () => {
      const body = '{"__proto__":{"a":1},"name":"a","expiresAt":"2099-01-01T00:00:00Z"}';
      expectError(await gateway.send(TOKENS, { method: 'POST', headers: { 'content-type': 'application/json' }, body }), 400, 'BadDataError');
    });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', 'application/jsonp', 'nonsense'])(
    'the content type %s is answered 415',
    async (contentType) => {
      const answer = await gateway.send(TOKENS, { method: 'POST', headers: { 'content-type': contentType }, body: JSON.stringify(valid) });
      expectError(answer, 415, 'ContentTypeError');
    },
  );

  test('a content type with parameters and in upper case is accepted', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await gateway.send(TOKENS, { method: 'POST', headers, body: JSON.stringify(valid) })).status).toBe(201);
  });

  test('a body over 100 kB is answered 413, one just under it is not', async () => {
    const withNameOf = (length: number) => create({ ...valid, name: 'x'.repeat(length) });
    expectError(await withNameOf(102_400), 413, 'PayloadTooLargeError');
    expect((await withNameOf(99_000)).status).toBe(201);
  });

  test('a VIEWER is answered 403 that names the permission needed, for creating and for reading', async () => {
    const { headers } = await create(valid);
    const token = gateway.viewerToken;
    for (const answer of [await gateway.postJson(TOKENS, valid, { token }), await gateway.send(String(headers.location), { token })]) {
      expectError(answer, 403, 'PermissionError');
      expect(answer.body.message).toContain('ADMIN');
    }
  });

  test('the event of a creation holds the token without secret and url', async () => {
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

  test.each(['events', 'public_signup_tokens'] as const)('when the insert into %s fails → neither token nor event, and a masked 500', async (table) => {
    const counts = async () => [await gateway.prisma.publicSignupToken.count(), await gateway.prisma.event.count()];
    const before = await counts();
    const mend = await refuseInserts(gateway.prisma, table);
    const answer = await create(valid);
    await mend();
    expectError(answer, 500, 'InternalError');
    expect(answer.text).not.toContain(DATABASE_SECRET);
    expect(answer.text).not.toMatch(/prisma|insert|trigger|\.ts|\bat \S+:\d+/i);
    expect(answer.headers.location).toBeUndefined();
    expect(await counts()).toEqual(before);
    expect((await create(valid)).status).toBe(201);
  });
});
