import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, coerceInputValue, type GraphQLInputType } from 'graphql';
import type { EventType } from '../../../src/generated/graphql/graphql.js';
import {
  addTerm,
  type ConsoleFilter,
  EMPTY_FILTER,
  isEmptyFilter,
  isSameFilter,
  listTerms,
  removeTerm,
  withRange,
} from '../../../src/web/console/filter/console-filter.js';
import { parseFilterText, printFilterText } from '../../../src/web/console/filter/filter-text.js';
import { readFilter, writeFilter } from '../../../src/web/console/filter/filter-url.js';
import { resolveRange, toEventFilter } from '../../../src/web/console/filter/filter-variables.js';
import { freezeFilter, isRelativeTime, isTime } from '../../../src/web/console/filter/relative-time.js';
import { KNOWN_TYPES, type KnownType } from '../../../src/web/console/sentences/describe-event.js';
import { RUNS, randomFilter } from './random-filter.js';

const NOW = new Date('2026-11-23T08:00:00.000Z');
const filterOf = (text: string): ConsoleFilter => parseFilterText(text).filter;
const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

describe('terms of a filter', () => {
  test('terms, added one by one → the same filter', () => {
    fc.assert(
      fc.property(randomFilter, (filter) => {
        expect(listTerms(filter).reduce(addTerm, EMPTY_FILTER)).toEqual(filter);
      }),
      { numRuns: RUNS },
    );
  });

  test('all terms removed → the empty filter', () => {
    fc.assert(
      fc.property(randomFilter, (filter) => {
        const empty = listTerms(filter).reduce(removeTerm, filter);
        expect(empty).toEqual(EMPTY_FILTER);
        expect(isEmptyFilter(empty)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('a value added twice, or removed without being there → the filter itself', () => {
    const filter = filterOf('env:dev since:1d text');
    expect(addTerm(filter, { field: 'environments', value: 'dev' })).toBe(filter);
    expect(removeTerm(filter, { field: 'since', value: '2d' })).toBe(filter);
    expect(removeTerm(filter, { field: 'text', value: 'other' })).toBe(filter);
    expect(removeTerm(filter, { field: 'people', value: 'dev' })).toEqual(filter);
  });

  test('the order of values → no difference; another field or time → a difference', () => {
    expect(isSameFilter(filterOf('env:a env:b'), filterOf('env:b env:a'))).toBe(true);
    expect(isSameFilter(filterOf('env:a'), filterOf('project:a'))).toBe(false);
    expect(isSameFilter(filterOf('env:a'), filterOf('env:a since:1d'))).toBe(false);
  });

  test('a range replaces both times', () => {
    expect(printFilterText(withRange(filterOf('env:a since:1d until:1h'), { since: '2026-11-01' }))).toBe(
      'env:a since:2026-11-01',
    );
    expect(withRange(filterOf('since:1d'), {})).toEqual(EMPTY_FILTER);
  });
});

describe('URL of a filter', () => {
  test('written and read again → the same filter', () => {
    fc.assert(
      fc.property(randomFilter, (filter) => {
        expect(readFilter(writeFilter(filter))).toEqual(filter);
        expect(readFilter(`?${writeFilter(filter)}`)).toEqual(filter);
      }),
      { numRuns: RUNS },
    );
  });

  test('a filter has a short query string; the empty filter has none', () => {
    expect(writeFilter(filterOf('env:production by:"Ada L" since:7d "a&b"'))).toBe('by=Ada+L&env=production&since=7d&q=a%26b');
    expect(writeFilter(EMPTY_FILTER)).toBe('');
  });

  test('other parameters and empty values → ignored', () => {
    expect(readFilter('?env=&env=dev&utc=1&event=7&q=&-type=')).toEqual({ ...EMPTY_FILTER, environments: ['dev'] });
  });

  test('a time that cannot be read → a problem of its text, and a request that matches nothing', () => {
    const filter = readFilter('since=someday&env=dev');
    expect(parseFilterText(printFilterText(filter)).problems).toMatchObject([{ term: 'since:someday' }]);
    expect(toEventFilter(filter, NOW)).toEqual({ ids: [] });
  });
});

describe('times of a filter', () => {
  test.each(['30m', '24H', '7d', '2w', '2026-11-01', '2026-11-01T08:00Z', '2026-11-01T08:00:00.123+05:30', '0001-01-01'])(
    '%s → a time',
    (text) => {
      expect(isTime(text)).toBe(true);
    },
  );

  test.each([
    '',
    'd',
    '7',
    '7y',
    '-7d',
    '1.5h',
    '10000d',
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '0000-01-01',
    '9999-12-31',
    '2026-02-30T00:00:00Z',
    '2026-11-01T08:00:00',
    '2026-11-01T25:00:00Z',
    '9999-12-31T23:59:59-14:00',
    ' 7d',
  ])('%j → no time', (text) => {
    expect(isTime(text)).toBe(false);
  });

  test.each([
    ['since:7d until:1h', '2026-11-16T08:00:00.000Z', '2026-11-23T07:00:00.000Z'],
    ['since:2026-11-01 until:2026-11-01', '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
    ['since:2026-11-01T01:00:00+01:00 until:2026-11-01T08:00Z', '2026-11-01T00:00:00.000Z', '2026-11-01T08:00:00.000Z'],
  ])('%s → from %s to before %s', (text, since, until) => {
    expect(resolveRange(filterOf(text), NOW)).toEqual({ since: new Date(since), until: new Date(until) });
  });

  test('frozen → no age is left, the end is set, and the range at that moment is the same', () => {
    fc.assert(
      fc.property(randomFilter, fc.date({ min: NOW, max: new Date('2030-01-01'), noInvalidDate: true }), (filter, later) => {
        const frozen = freezeFilter(filter, NOW);
        expect([frozen.since, frozen.until].some((time) => time !== undefined && isRelativeTime(time))).toBe(false);
        expect(resolveRange(frozen, later)).toEqual({ until: NOW, ...resolveRange(filter, NOW) });
        expect({ ...frozen, since: undefined, until: undefined }).toEqual({ ...filter, since: undefined, until: undefined });
      }),
      { numRuns: RUNS },
    );
  });
});

describe('filter of a request', () => {
  test('all parts → the fields of EventFilter', () => {
    expect(toEventFilter(filterOf('project:p type:t by:b flag:f env:e since:1d until:2026-11-22 word'), NOW)).toEqual({
      projects: ['p'],
      typeNames: ['t'],
      createdByNames: ['b'],
      features: ['f'],
      environments: ['e'],
      since: '2026-11-22T08:00:00.000Z',
      until: '2026-11-23T00:00:00.000Z',
      query: 'word',
    });
    expect(toEventFilter(EMPTY_FILTER, NOW)).toEqual({});
  });

  test('any filter → accepted by the schema, with no empty list', () => {
    fc.assert(
      fc.property(randomFilter, (filter) => {
        const value = toEventFilter(filter, NOW);
        expect(() => coerceInputValue(value, schema.getType('EventFilter') as GraphQLInputType)).not.toThrow();
        expect(Object.entries(value).filter(([field, list]) => field !== 'ids' && isDeepStrictEqual(list, []))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('types and excluded types → a request that matches exactly those that are left', () => {
    const type = fc.constantFrom<string>('feature-created', 'feature-updated', 'user-created');
    const types = fc.uniqueArray(fc.oneof(type, fc.constant('new-type')));
    fc.assert(
      fc.property(types, fc.uniqueArray(type), (wanted, notTypes) => {
        const { ids, types: listed, typeNames } = toEventFilter({ ...EMPTY_FILTER, types: wanted, notTypes }, NOW);
        const isMatched = (name: string) => {
          if (ids) return false;
          if (!listed && !typeNames) return true;
          const isKnown = KNOWN_TYPES.includes(name as KnownType);
          const graphqlName = isKnown ? (name.toUpperCase().replaceAll('-', '_') as EventType) : 'OTHER';
          return listed?.includes(graphqlName) === true || typeNames?.includes(name) === true;
        };
        for (const name of [...KNOWN_TYPES, 'new-type', 'newer-type']) {
          const isMeant = (wanted.length === 0 || wanted.includes(name)) && !notTypes.includes(name);
          expect({ name, isMatched: isMatched(name) }).toEqual({ name, isMatched: isMeant });
        }
      }),
      { numRuns: 50 },
    );
  });

  test('an excluded type that is not known → a request that matches nothing', () => {
    expect(toEventFilter(readFilter('-type=new-type'), NOW)).toEqual({ ids: [] });
  });
});
