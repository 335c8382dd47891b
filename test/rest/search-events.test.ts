import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { detailsOf, expectError } from '../support/expect-error.js';
import { recordedEvents, type WireEvent } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

type Parameters = Readonly<Record<string, string>>;

describe('4.2 Search events', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  const search = (parameters: Parameters | string = {}) =>
    gateway.send(`/api/admin/search/events?${typeof parameters === 'string' ? parameters : new URLSearchParams(parameters)}`);

  const expectEvents = async (parameters: Parameters, expected: readonly WireEvent[]) => {
    const { status, body } = await search({ limit: '1000', ...parameters });
    expect(status).toBe(200);
    expect(body).toEqual({ events: expected.slice(0, 1000), total: expected.length });
  };

  const count = async (parameters: Parameters): Promise<number> => (await search({ ...parameters, limit: '1' })).body.total;

  describe('lists of values', () => {
    const cases: [string, Parameters, (event: WireEvent) => boolean][] = [
      ['one flag', { feature: 'IS:checkout-v2' }, (e) => e.featureName === 'checkout-v2'],
      ['any of two flags', { feature: 'IS_ANY_OF:checkout-v2,dark_mode' }, (e) => ['checkout-v2', 'dark_mode'].includes(e.featureName ?? '')],
      ['IS with two values', { feature: 'IS:checkout-v2,dark_mode' }, (e) => ['checkout-v2', 'dark_mode'].includes(e.featureName ?? '')],
      ['IS_ANY_OF with one value', { feature: 'IS_ANY_OF:checkout-v2' }, (e) => e.featureName === 'checkout-v2'],
      ['blanks around values', { feature: 'IS: checkout-v2 ,\tdark_mode ' }, (e) => ['checkout-v2', 'dark_mode'].includes(e.featureName ?? '')],
      ['blank parts', { feature: 'IS_ANY_OF:,checkout-v2,, ,' }, (e) => e.featureName === 'checkout-v2'],
      ['the same value twice', { feature: 'IS:checkout-v2,checkout-v2' }, (e) => e.featureName === 'checkout-v2'],
      ['another case', { feature: 'IS:CHECKOUT-V2' }, () => false],
      ['a part of a name', { feature: 'IS:checkout' }, () => false],
      ['a wildcard', { feature: 'IS:%' }, () => false],
      ['a colon in the value', { feature: 'IS:IS:checkout-v2' }, () => false],
      ['a project', { project: 'IS:other-project' }, (e) => e.project === 'other-project'],
      ['a project that is a star', { project: 'IS:*' }, (e) => e.project === '*'],
      ['types', { type: 'IS_ANY_OF:feature-tagged,user-created' }, (e) => ['feature-tagged', 'user-created'].includes(e.type)],
      ['a type that is not in the list', { type: 'IS:no-such-type' }, () => false],
      ['a creator', { createdBy: 'IS:3' }, (e) => e.createdByUserId === 3],
      ['creators with negative ids', { createdBy: 'IS_ANY_OF:-42,-1337' }, (e) => [-42, -1337].includes(e.createdByUserId ?? 0)],
      ['a creator of no event', { createdBy: 'IS:2147483646' }, () => false],
      [
        'several parameters',
        { feature: 'IS:checkout-v2,dark_mode', type: 'IS:feature-created', createdBy: 'IS:1', project: 'IS:default' },
        (e) => ['checkout-v2', 'dark_mode'].includes(e.featureName ?? '') && e.type === 'feature-created' && e.createdByUserId === 1,
      ],
    ];
    test.each(cases)('%s', async (_, parameters, isMeant) => {
      await expectEvents(parameters, recordedEvents.filter(isMeant));
    });

    test('a name with a comma cannot be meant, its parts are', async () => {
      expect(await count({ feature: 'IS:a,b' })).toBe(0);
    });
  });

  describe('query', () => {
    beforeAll(async () => {
      await gateway.prisma.$executeRaw`
        INSERT INTO events (created_at, type, created_by, feature_name, data, pre_data, tags) VALUES
          ('2001-01-01', 'feature-created', 'x', 'query-data', '{"a" :  "50%_Off back\\\\slash ÄÖ"}', NULL, '[]'),
          ('2001-01-01', 'feature-created', 'x', 'query-other', '{"a": "500 off"}', '{"a": "in preData zebra"}', '[{"type":"simple","value":"zebra"}]'),
          ('2001-01-01', 'feature-created', 'zebra', 'zebra', NULL, NULL, '[]')`;
    });
    const flagsFor = async (query: string) => {
      const { body } = await search({ query, from: 'IS:2001-01-01', to: 'IS:2001-01-01' });
      expect(body.total).toBe(body.events.length);
      return body.events.map(({ featureName }: WireEvent) => featureName).sort();
    };

    test.each([
      ['a part of a text', '50', ['query-data', 'query-other']],
      ['another case', 'oFF', ['query-data', 'query-other']],
      ['another case outside ASCII', 'äö', ['query-data']],
      ['a percent sign stands for itself', '50%', ['query-data']],
      ['a percent sign is no wildcard', '5%f', []],
      ['an underscore stands for itself', '%_o', ['query-data']],
      ['an underscore is no wildcard', '50_ o', []],
      ['a backslash stands for itself', 'k\\\\s', ['query-data']],
      ['the stored text, with its blanks', '"a" :  "5', ['query-data']],
      ['a key', '"a"', ['query-data', 'query-other']],
      ['neither preData, nor tags, nor other fields', 'zebra', []],
      ['a quote', "'", []],
    ])('%s', async (_, query, flags) => {
      expect(await flagsFor(query)).toEqual(flags);
    });

    test('an empty query excludes nothing, also events without data', async () => {
      expect(await flagsFor('')).toEqual(['query-data', 'query-other', 'zebra']);
    });
  });

  describe('from and to', () => {
    const DAY = '1999-12-31';
    beforeAll(async () => {
      await gateway.prisma.$executeRaw`
        INSERT INTO events (created_at, type, created_by) VALUES
          ('1999-12-30T23:59:59.999999Z', 'the-day-before', 'x'),
          ('1999-12-31T00:00:00Z', 'first', 'x'),
          ('1999-12-31T23:59:59.999999Z', 'last', 'x'),
          ('2000-01-01T00:00:00Z', 'the-day-after', 'x'),
          ('2000-02-29T12:00:00Z', 'leap', 'x')`;
    });
    const typesOf = async (parameters: Parameters) =>
      (await search({ from: 'IS:1999-12-01', to: 'IS:2000-12-31', ...parameters })).body.events.map(({ type }: WireEvent) => type);

    test('a day is a UTC day, its first and last instant in it', async () => {
      expect(await typesOf({ from: `IS:${DAY}`, to: `IS:${DAY}` })).toEqual(['last', 'first']);
    });
    test('from is included', async () => {
      expect(await typesOf({ from: `IS:${DAY}` })).toEqual(['leap', 'the-day-after', 'last', 'first']);
    });
    test('to is included', async () => {
      expect(await typesOf({ to: `IS:${DAY}` })).toEqual(['last', 'first', 'the-day-before']);
    });
    test('a leap day exists', async () => {
      expect(await typesOf({ from: 'IS:2000-02-29', to: 'IS:2000-02-29' })).toEqual(['leap']);
    });
    test('from after to → nothing', async () => {
      const { status, body } = await search({ from: 'IS:2000-01-01', to: 'IS:1999-12-31' });
      expect({ status, body }).toEqual({ status: 200, body: { events: [], total: 0 } });
    });
    test('the first and the last day there are', async () => {
      expect((await search({ from: 'IS:0001-01-01', to: 'IS:9999-12-31' })).body.total).toBe((await search()).body.total);
    });
  });

  describe('offset and limit', () => {
    const bulk = recordedEvents.filter(({ featureName }) => featureName === 'bulk-flag');
    const page = (parameters: Parameters) => search({ feature: 'IS:bulk-flag', ...parameters });

    test('by default, the first 50', async () => {
      expect((await page({})).body).toEqual({ events: bulk.slice(0, 50), total: 1100 });
    });
    test('pages partition the list', async () => {
      const pages = [];
      for (let offset = 0; offset < 1100; offset += 300) pages.push((await page({ offset: String(offset), limit: '300' })).body);
      expect(pages.flatMap(({ events }) => events)).toEqual(bulk);
      expect(pages.map(({ total }) => total)).toEqual([1100, 1100, 1100, 1100]);
    });
    test.each([
      [{ limit: '1' }, 1],
      [{ limit: '1000' }, 1000],
      [{ limit: '0001', offset: '00' }, 1],
      [{ offset: '1099' }, 1],
      [{ offset: '1100' }, 0],
      [{ offset: '2147483647' }, 0],
    ])('%j → %d events, and the total of all', async (parameters, length) => {
      const { status, body } = await page(parameters as Parameters);
      expect({ status, length: body.events.length, total: body.total }).toEqual({ status: 200, length, total: 1100 });
    });
  });

  test('unknown parameters are ignored', async () => {
    expect((await search('feature=IS:checkout-v2&nothing=1&nothing=2&Limit=x')).body.total).toBe(15);
  });

  test('a Deprecation header stands on answers and on refusals', async () => {
    expect((await search()).headers.deprecation).toMatch(/^@\d+$/);
    expect((await search({ limit: '0' })).headers.deprecation).toMatch(/^@\d+$/);
  });

  describe('what is not valid is answered 400 that names the parameter and the rule', () => {
    const LIST = /must be IS: or IS_ANY_OF:/;
    const NO_VALUE = /at least one value/;
    const cases: [string, string, RegExp][] = [
      ...['feature', 'project', 'type', 'createdBy'].flatMap((name): [string, string, RegExp][] => [
        [`${name}=`, name, LIST],
        [`${name}=1`, name, LIST],
        [`${name}=is:1`, name, LIST],
        [`${name}=%20IS:1`, name, LIST],
        [`${name}=IS_NOT:1`, name, LIST],
        [`${name}=IS:1%0A`, name, LIST],
        [`${name}=IS:`, name, NO_VALUE],
        [`${name}=IS_ANY_OF:`, name, NO_VALUE],
        [`${name}=IS:,%20,`, name, NO_VALUE],
        [`${name}=IS:1&${name}=IS:1`, name, /more than once/],
      ]),
      ...['feature', 'project', 'type'].map((name): [string, string, RegExp] => [`${name}=IS:a%00b`, name, /NUL/]),
      ...['IS:a', 'IS:1.5', 'IS:1e3', 'IS:0x1', 'IS:%2B1', 'IS:2147483648', 'IS:-2147483649', 'IS:1,a', 'IS:--1', 'IS:%D9%A3'].map(
        (value): [string, string, RegExp] => [`createdBy=${value}`, 'createdBy', /whole numbers/],
      ),
      ...['from', 'to'].flatMap((name): [string, string, RegExp][] => [
        ...['', 'IS:', '2024-01-01', 'IS_ANY_OF:2024-01-01', 'IS:2024-1-1', 'IS:2024-02-30', 'IS:2023-02-29', 'IS:2024-13-01', 'IS:2024-00-10', 'IS:0000-01-01', 'IS:2024-01-01T00:00:00Z', 'IS:2024-01-01%0A', 'IS:02024-01-01', '%20IS:2024-01-01'].map(
          (value): [string, string, RegExp] => [`${name}=${value}`, name, /date of the calendar/],
        ),
        [`${name}=IS:2024-01-01&${name}=IS:2024-01-01`, name, /more than once/],
      ]),
      ...['', '0', '-1', '1001', '1.5', '1e2', '0x10', '+5', '%205', 'NaN', 'Infinity', '99999999999999999999', '%D9%A3'].map(
        (value): [string, string, RegExp] => [`limit=${value}`, 'limit', /from 1 to 1000/],
      ),
      ...['', '-1', '2147483648', '1.5', '1e2', '0x10', '%2B5', 'x', '99999999999999999999'].map(
        (value): [string, string, RegExp] => [`offset=${value}`, 'offset', /from 0 to 2147483647/],
      ),
      ['limit=1&limit=1', 'limit', /more than once/],
      ['offset=1&offset=1', 'offset', /more than once/],
      ['query=a&query=b', 'query', /more than once/],
      ['query=a%00b', 'query', /NUL/],
    ];
    test.each(cases)('%s', async (parameters, name, rule) => {
      const answer = await search(parameters);
      expectError(answer, 400, 'BadDataError');
      expect(detailsOf(answer)).toEqual([expect.stringMatching(new RegExp(`^${name} .*${rule.source}`))]);
      expect(answer.body.message).toContain(name);
    });

    test('everything that is wrong is told at once', async () => {
      const answer = await search('query=%00&feature=x&project=IS:&type=IS:%0A&createdBy=IS:x&from=x&to=IS:2024-02-30&offset=-1&limit=0');
      expectError(answer, 400, 'BadDataError');
      const named = answer.body.details.map(({ path }: { path: string }) => path).sort();
      expect(named).toEqual(['createdBy', 'feature', 'from', 'limit', 'offset', 'project', 'query', 'to', 'type']);
    });
  });

  test.each(['query=%E0%A4%A', 'query=%', 'feature=IS:%zz', '&&=&', 'query[]=a', 'limit[$gt]=1', '__proto__=x', 'constructor=IS:x', 'query=%F0%9F%9A%A9', 'query=%ED%A0%80'])(
    'the odd query string %s ends in no 5xx',
    async (parameters) => {
      expect((await search(parameters)).status).toBeLessThan(500);
    },
  );
});
