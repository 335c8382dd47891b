import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
      [
        'any of two flags',
        { feature: 'IS_ANY_OF:checkout-v2,dark_mode' },
        (e) => ['checkout-v2', 'dark_mode'].includes(e.featureName ?? ''),
      ],
      [
        'IS with two values',
        { feature: 'IS:checkout-v2,dark_mode' },
        (e) => ['checkout-v2', 'dark_mode'].includes(e.featureName ?? ''),
      ],
      ['IS_ANY_OF with one value', { feature: 'IS_ANY_OF:checkout-v2' }, (e) => e.featureName === 'checkout-v2'],
      [
        'blanks around values',
        { feature: 'IS: checkout-v2 ,\tdark_mode ' },
        (e) => ['checkout-v2', 'dark_mode'].includes(e.featureName ?? ''),
      ],
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
      [
        'environments',
        { environment: 'IS_ANY_OF:production, development' },
        (e) => ['production', 'development'].includes(e.environment ?? ''),
      ],
      ['ids', { id: 'IS:5,7,2147483647' }, (e) => [5, 7].includes(e.id)],
      ['a creator', { createdBy: 'IS:3' }, (e) => e.createdByUserId === 3],
      ['creators with negative ids', { createdBy: 'IS_ANY_OF:-42,-1337' }, (e) => [-42, -1337].includes(e.createdByUserId ?? 0)],
      ['a creator of no event', { createdBy: 'IS:2147483646' }, () => false],
      [
        'several parameters',
        { feature: 'IS:checkout-v2,dark_mode', type: 'IS:feature-created', createdBy: 'IS:1', project: 'IS:default' },
        (e) =>
          ['checkout-v2', 'dark_mode'].includes(e.featureName ?? '') && e.type === 'feature-created' && e.createdByUserId === 1,
      ],
    ];
    test.each(cases)('%s → the matching events', async (_, parameters, matches) => {
      await expectEvents(parameters, recordedEvents.filter(matches));
    });

    test('a name with a comma → read as two names', async () => {
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
      ['a text in preData, tags and other fields only', 'zebra', []],
      ['a quote', "'", []],
    ])('%s: %j → %j', async (_, query, flags) => {
      expect(await flagsFor(query)).toEqual(flags);
    });

    test('an empty query → all events, also those without data', async () => {
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
      (await search({ from: 'IS:1999-12-01', to: 'IS:2000-12-31', ...parameters })).body.events.map(
        ({ type }: WireEvent) => type,
      );

    test('the same day → the UTC day from its first to its last instant', async () => {
      expect(await typesOf({ from: `IS:${DAY}`, to: `IS:${DAY}` })).toEqual(['last', 'first']);
    });
    test('only from → that day and later', async () => {
      expect(await typesOf({ from: `IS:${DAY}` })).toEqual(['leap', 'the-day-after', 'last', 'first']);
    });
    test('only to → that day and earlier', async () => {
      expect(await typesOf({ to: `IS:${DAY}` })).toEqual(['last', 'first', 'the-day-before']);
    });
    test('a leap day → its events', async () => {
      expect(await typesOf({ from: 'IS:2000-02-29', to: 'IS:2000-02-29' })).toEqual(['leap']);
    });
    test('from after to → nothing', async () => {
      const { status, body } = await search({ from: 'IS:2000-01-01', to: 'IS:1999-12-31' });
      expect({ status, body }).toEqual({ status: 200, body: { events: [], total: 0 } });
    });
    test('the first and the last valid day → all events', async () => {
      expect((await search({ from: 'IS:0001-01-01', to: 'IS:9999-12-31' })).body.total).toBe((await search()).body.total);
    });
  });

  describe('offset and limit', () => {
    const bulk = recordedEvents.filter(({ featureName }) => featureName === 'bulk-flag');
    const page = (parameters: Parameters) => search({ feature: 'IS:bulk-flag', ...parameters });

    test('by default → the first 50', async () => {
      expect((await page({})).body).toEqual({ events: bulk.slice(0, 50), total: 1100 });
    });
    test('consecutive pages → partition the list', async () => {
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

  test('unknown parameters → ignored', async () => {
    expect((await search('feature=IS:checkout-v2&nothing=1&nothing=2&features=x')).body.total).toBe(15);
  });

  test('results and errors → have a Deprecation header', async () => {
    expect((await search()).headers.deprecation).toMatch(/^@\d+$/);
    expect((await search({ limit: '0' })).headers.deprecation).toMatch(/^@\d+$/);
  });
});
