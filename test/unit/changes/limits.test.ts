import { describe, expect, test } from '@jest/globals';
import { lengthOfChanges } from '../../../src/events/changes/change-list.js';
import { toDecimalKey } from '../../../src/events/changes/decimal.js';
import { findChanges } from '../../../src/events/changes/find-changes.js';

const range = (length: number) => Array.from({ length }, (_, index) => index);
const nested = (levels: number, value: string) => `${'{"a":'.repeat(levels)}${value}${'}'.repeat(levels)}`;
const spaced = (json: string) => json.replaceAll(':', ': ');

describe('limits of changes', () => {
  test.each([
    [200, true],
    [201, false],
  ])('%i differences → complete: %p', (count, complete) => {
    const data = JSON.stringify(Object.fromEntries(range(count).map((index) => [`k${index}`, index])));
    const changes = findChanges('{}', data);
    expect(changes.items).toHaveLength(200);
    expect(changes.complete).toBe(complete);
  });

  test.each([
    [32, true],
    [33, false],
  ])('a difference below %i keys → complete: %p', (levels, complete) => {
    const changes = findChanges(nested(levels, '1'), nested(levels, '2'));
    expect(changes.complete).toBe(complete);
    expect(changes.items.map(({ path }) => path.length)).toEqual(complete ? [32] : []);
  });

  test('differences above the limit of depth → listed also beside a deeper one', () => {
    const { items, complete } = findChanges(`{"b":1,"c":${nested(40, '1')}}`, `{"b":2,"c":${nested(40, '2')}}`);
    expect(items.map(({ pointer }) => pointer)).toEqual(['/b']);
    expect(complete).toBe(false);
  });

  test('a list of 2,000 elements → compared; a longer one → one item if it changed', () => {
    const list = (count: number, last: number) => JSON.stringify({ values: [...range(count - 1), last] });
    expect(findChanges(list(2_000, -1), list(2_000, -2))).toMatchObject({
      items: [{ kind: 'REMOVED' }, { kind: 'ADDED' }],
      complete: true,
    });
    expect(findChanges(list(2_001, -1), list(2_001, -2))).toMatchObject({
      items: [{ kind: 'CHANGED', pointer: '/values' }],
      complete: false,
    });
  });

  test.each([
    ['scalars', range(2_001)],
    ['objects with a list', range(2_001).map((id) => ({ id, list: [{ id }], x: null }))],
  ])('a longer list of %s that is written with other spaces → complete, without items', (_, list) => {
    expect(findChanges(JSON.stringify(list), JSON.stringify(list, null, 1))).toEqual({ items: [], complete: true });
    const other = JSON.stringify([...list.slice(1), 1]);
    expect(findChanges(JSON.stringify(list), other)).toMatchObject({ items: [{ kind: 'CHANGED', path: [] }], complete: false });
  });

  test('a text of more than 1,048,576 characters → nothing is compared', () => {
    const data = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
    expect(findChanges('{}', data(1_048_576))).toMatchObject({ items: [{ kind: 'ADDED' }], complete: true });
    expect(findChanges('{}', data(1_048_577))).toEqual({ items: [], complete: false });
    expect(findChanges(data(1_048_577), '{}')).toEqual({ items: [], complete: false });
  });

  test('long keys above many differences → few more characters of paths than the documents have', () => {
    const data = (value: number) =>
      JSON.stringify({ ['k'.repeat(10_000)]: Object.fromEntries(range(150).map((index) => [index, value])) });
    const { items, complete } = findChanges(data(1), data(2));
    expect(items).toHaveLength(1);
    expect(complete).toBe(false);
  });
});

describe('hostile documents', () => {
  const keys = JSON.stringify(Object.fromEntries(range(70_000).map((index) => [`k${index}`, 1])));
  const list = JSON.stringify(range(2_000).map((id) => ({ id, name: `n${id}`, a: { b: [id] } })));

  test.each([
    [
      'nesting that overflows recursive code',
      '['.repeat(500_000) + ']'.repeat(500_000),
      `${'['.repeat(500_000)}1${']'.repeat(499_999)}`,
    ],
    ['many keys', keys, spaced(keys).replace('"k69999": 1', '"k69999": 2').slice(0, 1_048_576)],
    ['many keys below many levels', nested(31, keys), nested(31, keys.replace('"k9":1', '"k9":2'))],
    ['2,000 objects in reverse order', list, JSON.stringify((JSON.parse(list) as unknown[]).reverse())],
    ['2,000 objects with one id', list.replaceAll(/"id":\d+/g, '"id":1'), list.replaceAll(/"id":\d+/g, '"id":2')],
    ['half a million numbers', `[${'1,'.repeat(500_000)}1]`, `[${'1,'.repeat(500_000)}2]`],
    [
      '400 lists of 500 numbers',
      `[${range(400).map(() => `[${range(500)}]`)}]`,
      `[${range(400).map(() => `[${range(500).reverse()}]`)}]`,
    ],
    ['many escaped quotes', `{"a":"${String.raw`\"`.repeat(400_000)}"}`, `{"a":"${String.raw`\"`.repeat(400_000)}b"}`],
    ['many backslashes', `{"a":"${String.raw`\\`.repeat(400_000)}"}`, `{"a":"${String.raw`\\`.repeat(400_000)}b"}`],
    ['blanks', `[${' '.repeat(1_000_000)}]`, `[${' '.repeat(1_000_000)}1]`],
    ['a number of a million digits', `[${'1'.repeat(1_000_000)}]`, `[${'1'.repeat(999_999)}2]`],
    ['a million zeros', `[0.${'0'.repeat(1_000_000)}1]`, `[0.${'0'.repeat(1_000_000)}2]`],
    ['an exponent of a million digits', `[1e${'9'.repeat(1_000_000)}]`, `[1e${'9'.repeat(999_999)}8]`],
    [
      'a thousand exponents of a thousand digits',
      `[${range(1_000).map(() => `1e${'9'.repeat(999)}`)}]`,
      `[${range(1_000).map(() => `2e${'9'.repeat(999)}`)}]`,
    ],
  ])('%s → changes within the limits', (_, preData, data) => {
    const { items } = findChanges(preData, data);
    expect(items.length).toBeLessThanOrEqual(200);
    const characters = items.reduce((sum, { before, after }) => sum + (before?.text.length ?? 0) + (after?.text.length ?? 0), 0);
    expect(characters).toBeLessThanOrEqual(preData.length + data.length);
  });

  test('huge exponents → compared without writing out their zeros', () => {
    expect(toDecimalKey('1e999999999')).toBe('1e999999999');
    expect(toDecimalKey('-1200e-999999999999')).toBe('-12e-999999999997');
    expect(toDecimalKey(`1e${'9'.repeat(100_000)}`)).toHaveLength(100_004);
  });
});

test.each(['k', '\u0001'])(
  '200 changes below a long key of %j → no more characters than the documents have, as they are written',
  (character) => {
    const key = JSON.stringify(character.repeat(245));
    const document = (value: number) => `{${key}:{${Array.from({ length: 200 }, (_, index) => `"k${index}":${value}`).join()}}}`;
    const [preData, data] = [document(0), document(1)];
    const changes = findChanges(preData, data);
    expect(changes.complete).toBe(false);
    expect(lengthOfChanges(changes)).toBeLessThan(2 * (4_000 + preData.length + data.length));
  },
);
