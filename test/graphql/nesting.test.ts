import { expect, test } from '@jest/globals';
import { isNestedWithinLimit, NESTING_RULE, rejectDeepNesting } from '../../src/graphql/nesting.js';

const BRACKETS = ['{}', '[]', '()'] as const;
const nest = (depth: number, [open, close]: string) => `${open?.repeat(depth)}${close?.repeat(depth)}`;

test.each(BRACKETS)(
  '64 levels of %s → within the limit that the rule names; 65 → beyond it; closed brackets do not add up',
  (brackets) => {
    expect(NESTING_RULE).toContain('64 levels');
    expect(isNestedWithinLimit(nest(64, brackets))).toBe(true);
    expect(isNestedWithinLimit(nest(65, brackets))).toBe(false);
    expect(isNestedWithinLimit(nest(40, brackets).repeat(3))).toBe(true);
  },
);

test('different kinds of brackets → counted together', () => {
  expect(isNestedWithinLimit('{[('.repeat(21))).toBe(true);
  expect(isNestedWithinLimit('{[('.repeat(22))).toBe(false);
});

test('a string of many escaped quotes that does not end → read once', () => {
  // A search for the end of each open string would take minutes.
  expect(isNestedWithinLimit(`"${'\\\\"'.repeat(1_000_000)}`)).toBe(true);
});

const deep = '{'.repeat(65);
test.each([
  ['a string', `"${deep}"`],
  ['a string after an escaped quote', `"\\"${deep}"`],
  ['a string after an escaped backslash', `"\\\\" "${deep}"`],
  ['a block string', `"""${deep}\n${deep}"""`],
  ['a block string with a quote', `"""a " b ${deep}"""`],
  ['a block string after escaped quotes', `"""\\""" ${deep}"""`],
  ['a comment', `# ${deep}`],
])('brackets in %s → not counted', (_, document) => {
  expect(isNestedWithinLimit(document)).toBe(true);
});

test.each([
  ['a string', `"a" ${deep}`],
  ['an empty string', `"" ${deep} ""`],
  ['a string that does not end in its line', `"a\n${deep}"`],
  ['a block string', `"""a""" ${deep} """b"""`],
  ['a comment', `# a\n${deep}`],
  ['a comment that ends with a carriage return', `# a\r${deep}`],
])('brackets after %s → counted', (_, document) => {
  expect(isNestedWithinLimit(document)).toBe(false);
});

test.each([undefined, null, 1, [deep]])('a value that is not a text (%j) → left to the parser', (document) => {
  expect(isNestedWithinLimit(document)).toBe(true);
});

test('a document beyond the limit → rejected with the rule; within the limit → accepted', () => {
  expect(() => rejectDeepNesting(nest(64, '{}'))).not.toThrow();
  expect(() => rejectDeepNesting(nest(65, '{}'))).toThrow(
    expect.objectContaining({ name: 'BadDataError', message: `The document ${NESTING_RULE}.` }),
  );
});

test.each([
  ['brackets around a block string that does not end', `{"""${deep}`],
  ['a block string that does not end', `${'{'.repeat(64)}"""{`],
])('%s → only the brackets outside it are counted', (_, document) => {
  expect(isNestedWithinLimit(document)).toBe(true);
});

test('a string between brackets → does not become a bracket', () => {
  expect(isNestedWithinLimit(`${'{'.repeat(64)}"a"`)).toBe(true);
});
