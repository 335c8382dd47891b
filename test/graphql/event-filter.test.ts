import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { detailsOf, expectGraphqlError } from '../support/expect-error.js';
import { recordedEvents, recordedLines, type WireEvent } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const SEARCH = `query ($filter: EventFilter) {
  searchEvents(filter: $filter, limit: 1000) { total events { id } }
  events(filter: $filter, first: 1000) { totalCount nodes { id } }
}`;

describe('the filter of searchEvents and events', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  const cases: [string, object, (event: WireEvent) => boolean][] = [
    ['nothing', {}, () => true],
    [
      'null in every field',
      {
        query: null,
        features: null,
        projects: null,
        types: null,
        typeNames: null,
        from: null,
        to: null,
        environments: null,
        createdByUserIds: null,
        createdByNames: null,
        since: null,
        until: null,
      },
      () => true,
    ],
    ['features', { features: ['checkout-v2', 'dark_mode'] }, (e) => ['checkout-v2', 'dark_mode'].includes(e.featureName ?? '')],
    ['a feature whose name has a comma', { features: ['odd,comma'] }, (e) => e.featureName === 'odd,comma'],
    ['a name with a leading blank, which is not trimmed', { features: [' checkout-v2'] }, () => false],
    ['projects', { projects: ['other-project', ''] }, (e) => ['other-project', ''].includes(e.project ?? 'none')],
    ['environments', { environments: ['production', 'prod'] }, (e) => ['production', 'prod'].includes(e.environment ?? '')],
    ['creators', { createdByUserIds: [3, -42] }, (e) => [3, -42].includes(e.createdByUserId ?? 0)],
    ['names of creators', { createdByNames: ['admin', 'nobody'] }, (e) => e.createdBy === 'admin'],
    ['types', { types: ['FEATURE_TAGGED'] }, (e) => e.type === 'feature-tagged'],
    ['days', { from: '2024-01-31', to: '2024-02-29' }, (e) => e.createdAt >= '2024-01-31' && e.createdAt < '2024-03-01'],
    [
      'instants, of which the second is not included',
      { since: recordedEvents[900]?.createdAt, until: recordedEvents[100]?.createdAt },
      (e) => e.createdAt >= (recordedEvents[900]?.createdAt ?? '') && e.createdAt < (recordedEvents[100]?.createdAt ?? ''),
    ],
    [
      'an instant in another zone, and a day',
      { since: '2024-01-31T05:30:00+05:30', to: '2024-02-29' },
      (e) => e.createdAt >= '2024-01-31' && e.createdAt < '2024-03-01',
    ],
    ['since after until', { since: '2024-02-01T00:00:00Z', until: '2024-01-01T00:00:00Z' }, () => false],
    ['from after to', { from: '2024-02-01', to: '2024-01-01' }, () => false],
    [
      'several fields',
      { features: ['bulk-flag'], from: '2021-01-01', environments: ['production'] },
      (e) => e.featureName === 'bulk-flag' && e.environment === 'production',
    ],
    ['an empty query', { query: '' }, () => true],
  ];
  test.each(cases)('%s → the matching events', async (_, filter, matches) => {
    const { body } = await gateway.graphql(SEARCH, { filter });
    const ids = recordedEvents.filter(matches).map(({ id }) => id);
    expect(body.data.searchEvents).toEqual({ total: ids.length, events: ids.slice(0, 1000).map((id) => ({ id })) });
    expect(body.data.events).toEqual({ totalCount: ids.length, nodes: ids.slice(0, 1000).map((id) => ({ id })) });
  });

  describe('searchIn', () => {
    const search = async (filter: object) =>
      (await gateway.graphql(SEARCH, { filter })).body.data.searchEvents.events.map(({ id }: { id: number }) => id);
    const holding = (field: 'data' | 'tags', text: string) =>
      new Set(
        recordedLines.flatMap((line) => {
          const event = JSON.parse(line) as WireEvent;
          return JSON.stringify(event[field] ?? '')
            .toLowerCase()
            .includes(text)
            ? event.id
            : [];
        }),
      );

    test('by default → data only', async () => {
      const expected = holding('data', 'payments-tagonly');
      expect(expected.size).toBeGreaterThan(0);
      expect(new Set(await search({ query: 'PAYMENTS-tagonly' }))).toEqual(expected);
      expect(new Set(await search({ query: 'PAYMENTS-tagonly', searchIn: null }))).toEqual(expected);
      expect(new Set(await search({ query: 'PAYMENTS-tagonly', searchIn: ['DATA'] }))).toEqual(expected);
    });

    test('TAGS → tags only', async () => {
      const expected = holding('tags', 'payments-tagonly');
      expect(expected.size).toBeGreaterThan(0);
      expect(new Set(await search({ query: 'payments-tagonly', searchIn: ['TAGS'] }))).toEqual(expected);
    });

    test('DATA and TAGS → either', async () => {
      const expected = new Set([...holding('data', 'payments-tagonly'), ...holding('tags', 'payments-tagonly')]);
      expect(new Set(await search({ query: 'payments-tagonly', searchIn: ['DATA', 'TAGS'] }))).toEqual(expected);
    });

    test('PRE_DATA → preData only, with % and _ taken literally', async () => {
      const insert = (data: object, preData: object) =>
        gateway.prisma.event.create({ data: { type: 'feature-updated', createdBy: 'x', data, preData } });
      const { id } = await insert({ a: 1 }, { note: '100%_sure' });
      await insert({ note: '100%_sure' }, { note: '1000 sure' });
      expect(await search({ query: '100%_SURE', searchIn: ['PRE_DATA'] })).toEqual([id]);
    });
  });

  describe('an invalid value → BAD_USER_INPUT with the field and the rule', () => {
    test.each(['features', 'projects', 'types', 'typeNames', 'createdByUserIds', 'environments', 'searchIn'])(
      'an empty list %s',
      async (field) => {
        for (const query of ['searchEvents { total }', 'events { totalCount }']) {
          const document = `query ($filter: EventFilter) { ${query.replace(' {', '(filter: $filter) {')} }`;
          const response = await gateway.graphql(document, { filter: { query: 'a', [field]: [] } });
          expectGraphqlError(response, 'BAD_USER_INPUT', 'BadDataError');
          expect(detailsOf(response)).toEqual([expect.stringMatching(`^filter\\.${field} must contain at least one value`)]);
        }
      },
    );

    test.each([
      ['query', 'a\0'],
      ['features', ['a', '\0']],
      ['projects', ['\0']],
      ['typeNames', ['\0']],
      ['environments', ['\0']],
    ])('a NUL in %s', async (field, value) => {
      const response = await gateway.graphql('query ($filter: EventFilter) { searchEvents(filter: $filter) { total } }', {
        filter: { [field]: value },
      });
      expectGraphqlError(response, 'BAD_USER_INPUT', 'BadDataError');
      expect(detailsOf(response)).toEqual([`filter.${field} must not contain the NUL character or half of a surrogate pair`]);
    });

    test.each(['2024-02-30', '2024-1-1', 'yesterday', '2024-01-01T00:00:00Z', ''])('the day %j', async (from) => {
      const response = await gateway.graphql('query ($filter: EventFilter) { searchEvents(filter: $filter) { total } }', {
        filter: { from },
      });
      expectGraphqlError(response, 'BAD_USER_INPUT', 'BadDataError');
      expect(response.body.errors[0].extensions.details).toMatchObject([{ path: 'filter.from' }]);
    });

    test('several invalid values → all are reported', async () => {
      const response = await gateway.graphql(
        '{ searchEvents(filter: { features: [], query: "\\u0000" }, offset: -1, limit: 1001) { total } }',
      );
      expectGraphqlError(response, 'BAD_USER_INPUT', 'BadDataError');
      const paths = response.body.errors[0].extensions.details.map(({ path }: { path: string }) => path);
      expect(paths.sort()).toEqual(['filter.features', 'filter.query', 'limit', 'offset']);
    });
  });
});
