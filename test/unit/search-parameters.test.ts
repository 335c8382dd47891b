import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ErrorDetail, GatewayError } from '../../src/errors.js';
import type { RawParameters } from '../../src/rest/filter-parameters.js';
import { parseSearchParameters } from '../../src/rest/search-parameters.js';

/** The patterns of spec 4.2. */
const SPEC_LIST = /^(IS|IS_ANY_OF):(.*?)(,([a-zA-Z0-9_]+))*$/;
const SPEC_DAY = /^(IS):\d{4}-\d{2}-\d{2}$/;

const LISTS = ['feature', 'project', 'type', 'createdBy'] as const;
const DAYS = ['from', 'to'] as const;
const NUMBERS = ['offset', 'limit'] as const;
const NAMES = ['query', ...LISTS, ...DAYS, ...NUMBERS] as const;

const FIELD_OF = { feature: 'features', project: 'projects', type: 'typeNames' } as const;

type Parsed = ReturnType<typeof parseSearchParameters>;

/** Parses the parameters. @returns the variables, or the details of the error */
function parse(raw: RawParameters): { readonly variables: Parsed } | { readonly details: readonly ErrorDetail[] } {
  try {
    return { variables: parseSearchParameters(raw) };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.name !== 'BadDataError') throw error;
    return { details: error.details };
  }
}

const isAccepted = (raw: RawParameters) => 'variables' in parse(raw);

const lineBreak = fc.constantFrom('\n', '\r', '\u2028', '\u2029', '\v', '\f', '\x85');
const piece = fc.oneof(
  fc.constantFrom(
    'IS',
    'IS_ANY_OF',
    'is',
    ':',
    ',',
    ',,',
    ' ',
    '_',
    'a1',
    '-',
    '%',
    '\\',
    '\0',
    '2024-02-29',
    '2023-02-29',
    '0000-01-01',
    '7',
    '-1',
    '1e3',
  ),
  lineBreak,
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const withPrefix = (rest: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom('IS:', 'IS_ANY_OF:', 'IS', ''), rest).map((parts) => parts.join(''));
const anyText = fc.oneof(
  withPrefix(fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))),
  fc.string({ unit: 'binary' }),
);

describe('4.2 parameters of the event search', () => {
  test('any text in any parameter → accepted, or rejected with details for that parameter only', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), anyText, (name, value) => {
        const parsed = parse({ [name]: value });
        if ('variables' in parsed) return;
        expect(new Set(parsed.details.map(({ path }) => path))).toEqual(new Set([name]));
        for (const { message } of parsed.details) expect(message).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });

  test('several parameters → rejected for exactly those that are rejected alone', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...NAMES), anyText), (raw) => {
        const parsed = parse(raw);
        const named = 'details' in parsed ? parsed.details.map(({ path }) => path) : [];
        const wrong = Object.keys(raw).filter((name) => !isAccepted({ [name]: raw[name] }));

        expect([...new Set(named)].sort()).toEqual(wrong.sort());
      }),
      { numRuns: 500 },
    );
  });

  test('a list → accepted in the form of the spec, except with NUL or without a value', () => {
    fc.assert(
      fc.property(fc.constantFrom('feature', 'project', 'type'), anyText, (name, value) => {
        const values = value
          .slice(value.indexOf(':') + 1)
          .split(',')
          .filter((part) => part.trim() !== '');

        expect(isAccepted({ [name]: value })).toBe(SPEC_LIST.test(value) && !value.includes('\0') && values.length > 0);
      }),
      { numRuns: 5000 },
    );
  });

  test('a list with either operator → its parts between commas, trimmed, without blank ones', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'B', '_', ':', '%', ' ', '\t', 'é', '🎉', '\u00a0') });
    fc.assert(
      fc.property(
        fc.constantFrom('feature', 'project', 'type'),
        fc.constantFrom('IS', 'IS_ANY_OF'),
        fc.array(part),
        (name, operator, parts) => {
          const values = parts.map((text) => text.trim()).filter((text) => text !== '');
          fc.pre(values.length > 0);
          const parsed = parse({ [name]: `${operator}:${parts.join(',')}` });

          expect(parsed).toMatchObject({ variables: { filter: { [FIELD_OF[name]]: values } } });
        },
      ),
    );
  });

  test('a long list → parsed in linear time', () => {
    const value = `IS:${'a,'.repeat(200_000)}\n`;

    expect(isAccepted({ feature: value })).toBe(false);
  }, 2000);

  test('user ids → whole numbers only', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2147483647, max: 2147483647 }), { minLength: 1 }), (ids) => {
        expect(parse({ createdBy: `IS:${ids.join(',')}` })).toMatchObject({ variables: { filter: { createdByUserIds: ids } } });
      }),
    );
    for (const id of [
      '1.0',
      '1e3',
      '0x1',
      '١',
      '2147483648',
      '-2147483649',
      '99999999999999999999',
      'admin',
      '--1',
      '+1',
      'NaN',
      '1 2',
      '1,x',
    ]) {
      expect(isAccepted({ createdBy: `IS:${id}` })).toBe(false);
    }
  });

  test('a day → accepted in the form of the spec if it exists', () => {
    fc.assert(
      fc.property(fc.constantFrom(...DAYS), anyText, (name, value) => {
        if (!isAccepted({ [name]: value })) return;
        expect(value).toMatch(SPEC_DAY);
        const day = value.slice('IS:'.length);
        expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day);
        expect(parse({ [name]: value })).toMatchObject({ variables: { filter: { [name]: day } } });
      }),
      { numRuns: 1000 },
    );
    for (const day of ['IS:2024-02-29', 'IS:0001-01-01', 'IS:9999-12-31']) expect(isAccepted({ from: day })).toBe(true);
    for (const day of [
      'IS:2023-02-29',
      'IS:0000-01-01',
      'IS_ANY_OF:2024-01-01',
      ' IS:2024-01-01',
      '2024-01-01',
      'IS:2024-1-1',
      'IS:2024-01-01\n',
      'IS:',
    ]) {
      expect(isAccepted({ to: day })).toBe(false);
    }
  });

  test('offset and limit → decimal digits within their range only', () => {
    const digits = fc.oneof(fc.integer({ min: -10, max: 2_147_483_657 }).map(String), fc.nat({ max: 1010 }).map(String));
    fc.assert(
      fc.property(digits, (value) => {
        expect(isAccepted({ offset: value })).toBe(Number(value) >= 0 && Number(value) <= 2_147_483_647);
        expect(isAccepted({ limit: value })).toBe(Number(value) >= 1 && Number(value) <= 1000);
      }),
      { numRuns: 1000 },
    );
    expect(parse({ offset: '2147483647', limit: '1000' })).toMatchObject({ variables: { offset: 2147483647, limit: 1000 } });
    for (const name of NUMBERS) {
      for (const value of ['', ' 5', '5 ', '+5', '-0', '5.0', '5e0', '0x5', '٥', '5\n', 'IS:5', '99999999999999999999']) {
        expect(isAccepted({ [name]: value })).toBe(false);
      }
    }
  });

  test('several invalid values → one detail each, in the order of the spec', () => {
    expect(parse({ from: 'IS:2025-02-30', to: '2025-01-01', offset: '-1', limit: '0', type: 'x\0' })).toEqual({
      details: ['type', 'from', 'to', 'offset', 'limit'].map((path) => ({ path, message: expect.any(String) })),
    });
  });

  test('no parameters → no filter, and the first 50 events', () => {
    expect(parse({})).toEqual({ variables: { filter: {}, offset: 0, limit: 50 } });
  });

  test('a repeated parameter → rejected; an unknown one → ignored', () => {
    for (const name of NAMES)
      expect(parse({ [name]: ['1', '1'] })).toMatchObject({
        details: [{ path: name, message: expect.stringContaining('once') }],
      });
    expect(parse({ sort: ['a', 'b'], __proto__: 'x', constructor: 'y', features: 'IS:' })).toEqual(parse({}));
  });
});
