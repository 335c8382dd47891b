import { describe, expect, test } from '@jest/globals';
import { Problems } from '../../src/errors.js';
import { EVENT_TYPES } from '../../src/events/event-types.js';
import {
  parseDocumentedFilter,
  parseFilter,
  parseNumber,
  type RawParameters,
  refuseMisspelledNames,
  refuseUnknown,
} from '../../src/rest/filter-parameters.js';
import { parseSearchParameters } from '../../src/rest/search-parameters.js';

/** Calls a function with a list of problems, and returns its result and what it added. */
function collect<Result>(work: (problems: Problems) => Result) {
  const problems = new Problems();
  const result = work(problems);
  const found: string[] = [];
  try {
    problems.throwIfAny();
  } catch (error) {
    found.push(
      ...(error as { details: { path: string; message: string }[] }).details.map(({ path, message }) => `${path} ${message}`),
    );
  }
  return { result, problems: found };
}

const parse = (raw: RawParameters) => collect((problems) => parseFilter(raw, problems));

describe('the filter of the paths under /v1', () => {
  test('no parameter → nothing is excluded', () => {
    expect(parse({})).toEqual({ problems: [], result: {} });
  });

  test('each parameter → its field', () => {
    const { result, problems } = parse({
      query: 'text',
      feature: 'IS_ANY_OF: a ,,b',
      project: 'IS:p',
      type: 'IS:feature-created',
      createdBy: 'IS:7,-1',
      createdByName: 'IS:Ann',
      environment: 'IS:dev',
      id: 'IS:1',
      from: 'IS:2024-02-29',
      to: 'IS:2024-03-01',
      since: '2024-01-01T00:00:00+01:00',
      until: '2024-01-02T00:00:00Z',
    });
    expect(problems).toEqual([]);
    expect(result).toEqual({
      query: 'text',
      features: ['a', 'b'],
      projects: ['p'],
      typeNames: ['feature-created'],
      createdByUserIds: [7, -1],
      createdByNames: ['Ann'],
      environments: ['dev'],
      ids: [1],
      from: '2024-02-29',
      to: '2024-03-01',
      since: '2023-12-31T23:00:00.000Z',
      until: '2024-01-02T00:00:00.000Z',
    });
  });

  test.each(['IS_NOT', 'IS_NONE_OF'])('%s → all other types, with OTHER', (form) => {
    const { result, problems } = parse({ type: `${form}:feature-created, feature-updated ` });
    expect(problems).toEqual([]);
    expect(result.typeNames).toBeUndefined();
    expect(result.types).toHaveLength(EVENT_TYPES.length - 2 + 1);
    expect(result.types).toEqual(expect.arrayContaining(['FEATURE_ARCHIVED', 'OTHER']));
    expect(result.types).not.toEqual(expect.arrayContaining(['FEATURE_CREATED']));
    expect(result.types).not.toEqual(expect.arrayContaining(['FEATURE_UPDATED']));
  });

  test.each<[RawParameters, RegExp]>([
    [{ type: 'feature-created' }, /^type must be IS:, IS_ANY_OF:, IS_NOT: or IS_NONE_OF: followed by one or more values/],
    [{ type: 'xIS_NOT:feature-created' }, /^type must be IS:, /],
    [{ type: 'IS_NOT:a\nb' }, /^type must be IS:, /],
    [{ type: 'IS_NOT: ,' }, /^type must contain at least one value; omit it to include all events$/],
    [{ type: 'IS_NOT:no-such-type' }, /^type can exclude only types that EventType of the GraphQL schema lists$/],
    [{ type: 'IS:' }, /^type must contain at least one value/],
    [{ type: ['IS:a', 'IS:b'] }, /^type must not be given more than once$/],
    [
      { feature: 'IS_NOT:a' },
      /^feature must be IS: or IS_ANY_OF: followed by one or more values separated by commas, without line breaks$/,
    ],
    [{ feature: 'IS:' }, /^feature must contain at least one value/],
    [{ createdByName: 'IS:' }, /^createdByName must contain at least one value/],
    [{ environment: 'IS:' }, /^environment must contain at least one value/],
    [{ project: 'IS:a\0' }, /^project must not contain the NUL character/],
    [{ createdBy: 'IS:a' }, /^createdBy must be ids: whole numbers from -2147483647 to 2147483647, at least one value$/],
    [{ createdBy: 'IS:2147483648' }, /^createdBy must be ids/],
    [{ createdBy: 'IS:1,x' }, /^createdBy must be ids/],
    [{ id: 'IS:' }, /^id must be ids/],
    [{ from: 'IS:2023-02-29' }, /^from must be .*, such as IS:2026-01-31$/],
    [{ to: '2024-02-29' }, /^to must be .*, such as IS:2026-01-31$/],
    [{ from: 'xIS:2024-02-29' }, /^from must be /],
    [{ from: 'IS:2024-02-29x' }, /^from must be /],
    [{ since: '2024-01-01' }, /^since must be .* A plus sign in a URL is written %2B$/],
    [{ until: 'x' }, /^until must be /],
  ])('%j → told so', (raw, problem) => {
    expect(parse(raw).problems).toEqual([expect.stringMatching(problem)]);
  });
});

describe('the filter of spec 4.2', () => {
  test('has no excluded types, names and instants', () => {
    const { result, problems } = collect((found) => parseDocumentedFilter({ type: 'IS_NOT:feature-created' }, found));
    expect(problems).toEqual([expect.stringMatching(/^type must be IS: or IS_ANY_OF: /)]);
    expect(Object.keys(result)).not.toEqual(expect.arrayContaining(['since']));
  });

  test.each([{ groupId: '1' }, { 'GROUPID[]': '1' }])('%j → rejected, since the log has no groups', (raw) => {
    const { problems } = collect((found) => {
      try {
        parseSearchParameters(raw);
      } catch (error) {
        for (const { path, message } of (error as { details: { path: string; message: string }[] }).details)
          found.add(path, message);
      }
    });
    expect(problems).toEqual([`${Object.keys(raw)[0]} is not supported, because the events of this log have no groups`]);
  });

  test('an unknown parameter → ignored; offset and limit in another case → told so', () => {
    expect(parseSearchParameters({ unknown: '1' })).toMatchObject({ offset: 0, limit: 50 });
    for (const name of ['Offset', 'LIMIT', 'limit[]'])
      expect(() => parseSearchParameters({ [name]: '1' })).toThrow(expect.objectContaining({ name: 'BadDataError' }));
  });
});

describe('names of parameters', () => {
  test('a misspelled known name → rejected; an unknown name → rejected only where none is ignored', () => {
    const raw = { a: '1', B: '1', 'c[0]': '1', other: '1' };
    const known = ['a', 'b', 'c'];
    const forms = ['B must be written b', 'c[0] must be written c'];
    expect(collect((problems) => refuseMisspelledNames(raw, known, problems)).problems).toEqual(forms);
    expect(collect((problems) => refuseUnknown(raw, known, problems)).problems).toEqual([
      ...forms,
      'other is not known here. The parameters are a, b, c',
    ]);
  });
});

test.each([
  [undefined, 5],
  ['0', 0],
  ['0123456789', 123456789],
  ['12345678901', Number.NaN],
  ['-1', Number.NaN],
  ['1e3', Number.NaN],
  ['', Number.NaN],
])('parseNumber(%j) → %d', (value, number) => {
  expect(parseNumber(value, 5)).toBe(number);
});
