import { describe, expect, jest, test } from '@jest/globals';
import { buildSchema, GraphQLError, parse, validate } from 'graphql';
import { createDocumentRules, type DocumentLimits, isBeyondLimit } from '../../src/graphql/document-limits.js';

const schema = buildSchema('type Query { a: Query, b: Int }');
const LIMITS: DocumentLimits = {
  maxTokens: 1000,
  maxDepth: 3,
  maxAliases: 2,
  maxRootFields: 4,
  maxDirectives: 2,
  maxSelections: 3000,
  isEnforced: true,
};

function check(query: string, limits: Partial<DocumentLimits> = {}) {
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const errors = validate(schema, parse(query), createDocumentRules({ ...LIMITS, ...limits }, log));
  return { errors, messages: errors.map(({ message }) => message), noted: log.warn.mock.calls };
}

describe('limits of a document', () => {
  test.each([
    ['depth', '{ a { a { b } } }'],
    ['depth that fragments do not add to', '{ a { ... { ... { a { ...F } } } } } fragment F on Query { b }'],
    ['aliases', '{ x: b y: b }'],
    ['directives', '{ b @include(if: true) @skip(if: false) }'],
    ['root fields', '{ b b b b }'],
    ['fields elsewhere', '{ a { b b b b b } }'],
    ['root fields of two operations', 'query A { b b b } query B { b b b }'],
  ])('as much as they allow: %s', (_, query) => {
    expect(check(query).messages).toEqual([]);
  });

  test.each([
    ['{ a { a { a { b } } } }', 'Query depth limit of 3 exceeded, found 4.'],
    ['{ x: b y: b z: b }', 'Aliases limit of 2 exceeded, found 3.'],
    ['{ b @include(if: true) @skip(if: false) a @skip(if: false) { b } }', 'Directives limit of 2 exceeded, found 3.'],
    ['{ b b b b b }', 'Root fields limit of 4 exceeded, found 5.'],
    ['{ b ... { b b } ... on Query { b b } }', 'Root fields limit of 4 exceeded, found 5.'],
    ['{ ...F ...F } fragment F on Query { b b b }', 'Root fields limit of 4 exceeded, found 6.'],
    ['{ b ...F } fragment F on Query { b b ...G } fragment G on Query { b b }', 'Root fields limit of 4 exceeded, found 5.'],
  ])('beyond them: %s', (query, message) => {
    const { errors, messages, noted } = check(query);
    expect(messages).toEqual([message]);
    expect(errors.every(isBeyondLimit)).toBe(true);
    expect(noted).toEqual([]);
  });

  test('that are not enforced are noted in the log', () => {
    const { messages, noted } = check('{ x: b y: b z: b b b }', { isEnforced: false });
    expect(messages).toEqual([]);
    expect(noted).toEqual([
      [{ limit: 'Aliases limit of 2 exceeded, found 3.' }, expect.stringContaining('not enforced')],
      [{ limit: 'Root fields limit of 4 exceeded, found 5.' }, expect.stringContaining('not enforced')],
    ]);
  });

  test.each([
    ['itself', '{ b ...F } fragment F on Query { b ...F }'],
    ['each other', '{ b ...F } fragment F on Query { b ...G } fragment G on Query { b ...F }'],
    ['nothing there is', '{ b ...F }'],
  ])('a fragment that spreads %s is left to the rule for it', (_, query) => {
    expect(check(query).messages).toEqual([]);
  });
});

test.each([
  ['Aliases limit of 30 exceeded, found 31.', true],
  ['Syntax Error: Document contains more than 1000 tokens. Parsing aborted.', true],
  ['The operation requests too many selections', true],
  ['The operation costs 5050, more than the 5000 that one may cost here.', true],
  ['Cannot query field "limit" on type "Query".', false],
  ['Syntax Error: Expected Name, found "}".', false],
  ['limit of x exceeded', false],
  ['costs more than 10', false],
])('%s — refused for its size: %j', (message, isBeyond) => {
  expect(isBeyondLimit(new GraphQLError(message))).toBe(isBeyond);
});
