import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ErrorDetail, GatewayError, Problems } from '../../src/errors.js';
import { type ConnectionArgs, checkOffsetPage, parseWindow, toCursor } from '../../src/events/event-page.js';

const AT = '2024-02-29T23:59:59.123456Z';
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

/** Returns each problem as `path message`. */
function problemsOf(check: (problems: Problems) => unknown): string[] {
  const problems = new Problems();
  check(problems);
  try {
    problems.throwIfAny();
    return [];
  } catch (error) {
    return (error as GatewayError).details.map(({ path, message }: ErrorDetail) => `${path} ${message}`);
  }
}

const parse = (args: ConnectionArgs) => parseWindow(args, new Problems());

describe('a page by its offset', () => {
  const LIMIT = 'limit must be a whole number from 1 to 1000';
  const OFFSET = 'offset must be a whole number from 0 to 2147483647';
  test.each([
    [0, 1, []],
    [0, 1000, []],
    [2147483647, 50, []],
    [0, 0, [LIMIT]],
    [0, 1001, [LIMIT]],
    [-1, 1, [OFFSET]],
    [-1, -1, [OFFSET, LIMIT]],
  ])('offset %d, limit %d → %j', (offset, limit, wrong) => {
    expect(problemsOf((problems) => checkOffsetPage({ offset, limit }, problems))).toEqual(wrong);
  });
});

describe('a page of a connection', () => {
  test.each<[ConnectionArgs, object]>([
    [{}, { from: 'newest', size: 50 }],
    [
      { first: null, last: null },
      { from: 'newest', size: 50 },
    ],
    [{ first: 0 }, { from: 'newest', size: 0 }],
    [
      { first: 1000, last: null },
      { from: 'newest', size: 1000 },
    ],
    [{ last: 0 }, { from: 'oldest', size: 0 }],
    [
      { last: 1000, first: null },
      { from: 'oldest', size: 1000 },
    ],
  ])('%j → %j', (args, window) => {
    expect(problemsOf((problems) => parseWindow(args, problems))).toEqual([]);
    expect(parse(args)).toEqual({ after: null, before: null, ...window });
  });

  test.each<[ConnectionArgs, string[]]>([
    [{ first: -1 }, ['first must be a whole number from 0 to 1000']],
    [{ last: -1 }, ['last must be a whole number from 0 to 1000']],
    [{ first: 1001 }, ['first must be a whole number from 0 to 1000']],
    [{ last: 1001 }, ['last must be a whole number from 0 to 1000']],
    [{ first: 0, last: 0 }, ['last cannot be combined with first']],
    [{ first: 1, after: '', before: 'x' }, ['after', 'before'].map((path) => `${path} must be a cursor that this API returned`)],
  ])('%j → rejected', (args, wrong) => {
    expect(problemsOf((problems) => parseWindow(args, problems))).toEqual(wrong);
  });
});

describe('cursors', () => {
  const two = (max: number) => fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));
  const createdAt = fc
    .tuple(fc.constantFrom('0001-01-01', '2024-02-29', '9999-12-31'), two(23), two(59), two(59), fc.nat({ max: 999_999 }))
    .map(([day, hours, minutes, seconds, micros]) => `${day}T${hours}:${minutes}:${seconds}.${String(micros).padStart(6, '0')}Z`);

  test('encoded and decoded → the position of the event, to the microsecond', () => {
    const id = fc.oneof(fc.integer({ min: -2147483647, max: 2147483647 }), fc.constantFrom(-2147483647, 2147483647));
    const position = fc.record({ createdAt, id });
    fc.assert(
      fc.property(position, (expected) => {
        const cursor = toCursor(expected);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(parse({ after: cursor })).toMatchObject({ after: expected, before: null });
        expect(parse({ before: cursor })).toMatchObject({ after: null, before: expected });
      }),
    );
  });

  test.each([
    '',
    ',',
    `${AT},`,
    `${AT},1 `,
    ` ${AT},1`,
    `${AT},1.0`,
    `${AT},x`,
    `${AT},-`,
    `${AT},2147483648`,
    `${AT},-2147483648`,
    `${AT},12345678901`,
    `${AT},--1`,
    `${AT}1`,
    AT,
    '2023-02-29T23:59:59.123456Z,1',
    '2024-02-2T23:59:59.123456Z,1',
    '2024-2-29T23:59:59.123456Z,1',
    '24-02-29T23:59:59.123456Z,1',
    '2024-02-29 23:59:59.123456Z,1',
    '2024-02-29T24:59:59.123456Z,1',
    '2024-02-29T30:59:59.123456Z,1',
    '2024-02-29T1:59:59.123456Z,1',
    '2024-02-29T23:60:59.123456Z,1',
    '2024-02-29T23:5:59.123456Z,1',
    '2024-02-29T23:59:60.123456Z,1',
    '2024-02-29T23:59:5.123456Z,1',
    '2024-02-29T23:59:59.12345Z,1',
    '2024-02-29T23:59:59.1234567Z,1',
    '2024-02-29T23:59:59x123456Z,1',
    '2024-02-29T23:59:59.123456,1',
    '2024-02-29TAA:59:59.123456Z,1',
    '2024-02-29T1A:59:59.123456Z,1',
    '2024-02-29T2A:59:59.123456Z,1',
    '2024-02-29T23:5A:59.123456Z,1',
    '2024-02-29T23:59:5A.123456Z,1',
    '2024-02-29T23:59:59.12345AZ,1',
  ])('a cursor of %j → rejected', (text) => {
    const wrong = problemsOf((problems) => expect(parseWindow({ after: cursorOf(text) }, problems).after).toBeNull());
    expect(wrong).toEqual(['after must be a cursor that this API returned']);
  });
});
