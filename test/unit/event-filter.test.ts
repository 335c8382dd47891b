import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ErrorDetail, GatewayError, Problems } from '../../src/errors.js';
import { type EventFilterInput, parseEventFilter } from '../../src/events/event-filter.js';
import { EVENT_TYPES, OTHER } from '../../src/events/event-types.js';

const text = fc.string({
  unit: fc.oneof({ weight: 20, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) }, fc.constant('\0')),
});
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(fc.option(arbitrary, { nil: null }), { nil: undefined });
const lists = {
  ids: fc.array(fc.integer()),
  searchIn: fc.array(fc.constantFrom('data' as const, 'preData' as const, 'tags' as const)),
  features: fc.array(text),
  projects: fc.array(text),
  types: fc.array(fc.constantFrom(...EVENT_TYPES, OTHER)),
  typeNames: fc.array(text),
  createdByUserIds: fc.array(fc.integer()),
  createdByNames: fc.array(text),
  environments: fc.array(text),
};
const day = fc.constantFrom('2024-02-29', '2023-02-29', '0001-01-01', '0000-01-01', '9999-12-31', '2024-13-01');
const instant = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const INVALID_DAYS = ['2023-02-29', '0000-01-01', '2024-13-01'];

const filter = fc.record({
  query: maybe(text),
  searchIn: maybe(lists.searchIn),
  ids: maybe(lists.ids),
  features: maybe(lists.features),
  projects: maybe(lists.projects),
  types: maybe(lists.types),
  typeNames: maybe(lists.typeNames),
  createdByUserIds: maybe(lists.createdByUserIds),
  environments: maybe(lists.environments),
  from: maybe(day),
  to: maybe(day),
  since: maybe(instant),
  until: maybe(instant),
});

function problemsOf(input: EventFilterInput): readonly ErrorDetail[] {
  const problems = new Problems();
  parseEventFilter(input, problems);
  try {
    problems.throwIfAny();
    return [];
  } catch (error) {
    return (error as GatewayError).details;
  }
}

/** Applies the rules of the API: no empty list but of ids, no NUL, no date that does not exist. */
function isWrong(value: unknown, field = ''): boolean {
  if (Array.isArray(value)) return (value.length === 0 && field !== 'ids') || value.some((item) => isWrong(item));
  return typeof value === 'string' && (value.includes('\0') || INVALID_DAYS.includes(value));
}

describe('filter of events', () => {
  test('any filter → rejected for exactly the fields that are wrong', () => {
    fc.assert(
      fc.property(filter, (input) => {
        const wrong = Object.entries(input).flatMap(([field, value]) => (isWrong(value, field) ? [`filter.${field}`] : []));

        expect([...new Set(problemsOf(input).map(({ path }) => path))].sort()).toEqual(wrong.sort());
      }),
      { numRuns: 1000 },
    );
  });

  test('null, absent fields and an empty query → no filter', () => {
    const nothing = Object.entries(parseEventFilter({}, new Problems())).filter(([, value]) => value !== undefined);
    const nulls = Object.fromEntries(
      ['query', ...Object.keys(lists), 'from', 'to', 'since', 'until'].map((field) => [field, null]),
    );

    expect(nothing).toEqual([]);
    expect(parseEventFilter(nulls, new Problems())).toEqual(parseEventFilter({}, new Problems()));
    expect(parseEventFilter({ query: '', searchIn: ['tags'] }, new Problems())).toEqual(parseEventFilter({}, new Problems()));
  });

  test('a query → searched for in data, or where searchIn says', () => {
    expect(parseEventFilter({ query: 'x' }, new Problems()).text).toEqual({ literal: 'x', in: ['data'] });
    expect(parseEventFilter({ query: 'x', searchIn: ['tags', 'preData'] }, new Problems()).text).toEqual({
      literal: 'x',
      in: ['tags', 'preData'],
    });
  });

  test('an empty list → rejected with the advice to leave it out', () => {
    expect(problemsOf({ features: [] })).toEqual([{ path: 'filter.features', message: expect.stringContaining('omit it') }]);
  });

  test('an empty list of ids → matches nothing', () => {
    expect(problemsOf({ ids: [] })).toEqual([]);
    expect(parseEventFilter({ ids: [] }, new Problems()).ids).toEqual([]);
  });

  test('a text of 1,000 characters and a list of 500 values → accepted; one more → rejected', () => {
    const list = (length: number) => Array.from({ length }, String);
    expect(problemsOf({ query: '😀'.repeat(1_000), features: list(500) })).toEqual([]);
    expect(problemsOf({ query: '😀'.repeat(1_001), features: list(501), createdByUserIds: list(501).map(Number) })).toEqual([
      { path: 'filter.features', message: 'must contain at most 500 values' },
      { path: 'filter.createdByUserIds', message: 'must contain at most 500 values' },
      { path: 'filter.query', message: 'must have at most 1000 characters' },
    ]);
  });

  test.each<[EventFilterInput, object]>([
    [{ types: ['feature-created'] }, { names: ['feature-created'], orUnlisted: false }],
    [{ typeNames: ['legacy'] }, { names: ['legacy'], orUnlisted: false }],
    [{ types: [OTHER] }, { names: [], orUnlisted: true }],
  ])('%j → events of the types %j', (input, types) => {
    expect(parseEventFilter(input, new Problems()).types).toEqual(types);
  });

  test('OTHER beside named types → the unlisted types and the named ones', () => {
    const parsed = parseEventFilter({ types: [OTHER, 'feature-created'], typeNames: ['legacy'] }, new Problems());

    expect(parsed.types).toEqual({ names: ['feature-created', 'legacy'], orUnlisted: true });
  });
});
