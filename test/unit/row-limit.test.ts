import { expect, test } from '@jest/globals';
import { ReadTooLargeError, toQueryConfig } from '../../src/database/read.js';

/** Passes rows of two columns to the parsers of a query, as the driver does. Null stands for a first column without a value. */
function parseRows(maxCharacters: number, rows: readonly (readonly [string | null, string])[]) {
  const { types } = toQueryConfig({ text: '', values: [] }, { isText: true, maxCharacters });
  if (!types) throw new Error('A query for texts has parsers.');
  const [parseFirst, parseOther] = [types.getTypeParser(), types.getTypeParser()];
  const parsed = rows.map(([first, other]) => [first === null ? null : parseFirst(first), parseOther(other)]);
  return { parsed, check: () => types.check() };
}

const TEXT = 'x'.repeat(1_000);

test('rows within the limit → all of them, as text', () => {
  const { parsed, check } = parseRows(10_000, [
    ['1', TEXT],
    ['2', TEXT],
  ]);
  expect(parsed).toEqual([
    ['1', TEXT],
    ['2', TEXT],
  ]);
  expect(check).not.toThrow();
});

test('a row after the limit → the error tells how many rows fit; each counts 400 characters beyond its texts', () => {
  const { parsed, check } = parseRows(1_300, [
    ['1', TEXT],
    ['2', TEXT],
  ]);
  expect(parsed[1]).toEqual([null, null]);
  expect(check).toThrow(ReadTooLargeError);
  expect(check).toThrow(expect.objectContaining({ fittingRows: 1 }));
});

test('a row that begins at the limit → it is kept', () => {
  const { check } = parseRows(1_400, [
    ['1', TEXT],
    ['2', TEXT],
  ]);
  expect(check).not.toThrow();
});

test('a first row that is longer than the limit → it is kept, so that a page has at least one event', () => {
  const { parsed, check } = parseRows(10, [['1', TEXT]]);
  expect(parsed).toEqual([['1', TEXT]]);
  expect(check).not.toThrow();
});

test('a row without a first column, such as the head before a page → it does not count', () => {
  const { check } = parseRows(1_300, [
    [null, '5'],
    ['1', TEXT],
    ['2', TEXT],
  ]);
  expect(check).toThrow(expect.objectContaining({ fittingRows: 1 }));
});
