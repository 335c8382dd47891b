import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { detailsOf, expectError } from '../support/expect-error.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const TOKENS = '/api/admin/invite-link/tokens';
const valid = { name: 'Invite', expiresAt: '2099-01-01T00:00:00.000Z' };

describe('4.3 Create a public signup token: rejected requests', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const create = (body: unknown) => gateway.postJson(TOKENS, body);

  describe('an invalid body → 400 with the field and the rule', () => {
    const NAME = /^name must be a text/;
    const EXPIRES_AT = /^expiresAt must be an RFC 3339 date-time with a zone/;
    const cases: [unknown, RegExp[]][] = [
      ...[undefined, null, '', '  ', '\t\n', '\u00a0', 'a\0b', 1, true, ['a'], {}].map((name): [unknown, RegExp[]] => [
        { ...valid, name },
        [NAME],
      ]),
      ...[
        undefined,
        null,
        '',
        'tomorrow',
        '2099-01-01',
        '2099-01-01T00:00:00',
        '2099-01-01 00:00:00Z',
        '2099-01-01T00:00Z',
        '2099-02-30T00:00:00Z',
        '2099-01-01T24:00:00Z',
        '2099-01-01T00:60:00Z',
        '2099-01-01T00:00:61Z',
        '2099-01-01T00:00:00+25:00',
        '2099-01-01T00:00:00+0100',
        '+012099-01-01T00:00:00Z',
        '0000-01-01T00:00:00Z',
        'Fri, 01 Jan 2099 00:00:00 GMT',
        ' 2099-01-01T00:00:00Z',
        '2099-01-01T00:00:00Z\n',
        4070908800000,
        true,
        [],
        {},
      ].map((expiresAt): [unknown, RegExp[]] => [{ ...valid, expiresAt }, [EXPIRES_AT]]),
      [{ ...valid, secret: 'mine' }, [/^secret is not a field/]],
      [{ ...valid, enabled: true, role: 1 }, [/^enabled is not a field/, /^role is not a field/]],
      [{ ...valid, Name: 'a' }, [/^Name is not a field/]],
      [{}, [NAME, EXPIRES_AT]],
      [{ name: '', expiresAt: 'x', extra: 1 }, [/^extra is not a field/, NAME, EXPIRES_AT]],
      ...[null, [], [valid], 'text', 1, true].map((body): [unknown, RegExp[]] => [body, [/^body must be a JSON object/]]),
    ];
    test.each(cases)('%j', async (body, rules) => {
      const response = await create(body);
      expectError(response, 400, 'BadDataError');
      expect(detailsOf(response)).toEqual(rules.map((rule) => expect.stringMatching(rule)));
    });

    test.each(['', '{', '{"name":"a",}', "{'name':'a'}", 'name=a', '{"name":"a"}{}', '\u0000'])(
      'the body %j, which is not JSON',
      async (body) => {
        expectError(
          await gateway.send(TOKENS, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
          400,
          'BadDataError',
        );
      },
    );

    test('a body that would change the prototype', async () => {
      const body = '{"__proto__":{"a":1},"name":"a","expiresAt":"2099-01-01T00:00:00Z"}';
      expectError(
        await gateway.send(TOKENS, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
        400,
        'BadDataError',
      );
    });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'nonsense',
  ])('the content type %s → 415', async (contentType) => {
    const response = await gateway.send(TOKENS, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: JSON.stringify(valid),
    });
    expectError(response, 415, 'ContentTypeError');
  });

  test('a content type with parameters and in upper case → accepted', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
    expect((await gateway.send(TOKENS, { method: 'POST', headers, body: JSON.stringify(valid) })).status).toBe(201);
  });

  test('a body over 100 kB → 413; just under → 201', async () => {
    const withNameOf = (length: number) => create({ ...valid, name: 'x'.repeat(length) });
    expectError(await withNameOf(102_400), 413, 'PayloadTooLargeError');
    expect((await withNameOf(99_000)).status).toBe(201);
  });

  test('a VIEWER who creates or reads → 403 with the required permission', async () => {
    const { headers } = await create(valid);
    const token = gateway.viewerToken;
    for (const response of [
      await gateway.postJson(TOKENS, valid, { token }),
      await gateway.send(String(headers.location), { token }),
    ]) {
      expectError(response, 403, 'PermissionError');
      expect(response.body.message).toContain('ADMIN');
    }
  });
});
