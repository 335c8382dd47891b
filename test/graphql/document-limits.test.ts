import { ApolloServer } from '@apollo/server';
import { describe, expect, jest, test } from '@jest/globals';
import { buildSchema, GraphQLError, parse, validate } from 'graphql';
import { GatewayError } from '../../src/errors.js';
import { createDocumentRules, type DocumentLimits, isLimitError } from '../../src/graphql/document-limits.js';

const schema = buildSchema('type Query { a: Query, b: Int }');
const LIMITS: DocumentLimits = {
  maxTokens: 100,
  maxAliases: 2,
  maxRootFields: 4,
  maxSelections: 20,
  isEnforced: true,
};

function check(query: string, limits: Partial<DocumentLimits> = {}) {
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const errors = validate(schema, parse(query), createDocumentRules({ ...LIMITS, ...limits }, log));
  return { errors, messages: errors.map(({ message }) => message), warnings: log.warn.mock.calls };
}

describe('limits of a document', () => {
  test.each([
    ['aliases', '{ x: b y: b }'],
    ['root fields', '{ b b b b }'],
    ['fields below the root', '{ a { b b b b b } }'],
    ['root fields of two operations', 'query A { b b b } query B { b b b }'],
  ])('within the limit: %s → no error', (_, query) => {
    expect(check(query).messages).toEqual([]);
  });

  test.each([
    ['{ x: b y: b z: b }', 'Aliases limit of 2 exceeded, found 3.'],
    ['{ b b b b b }', 'Root fields limit of 4 exceeded, found 5.'],
    ['{ b ... { b b } ... on Query { b b } }', 'Root fields limit of 4 exceeded, found 5.'],
    ['{ ...F ...F } fragment F on Query { b b b }', 'Root fields limit of 4 exceeded, found 6.'],
    ['{ b ...F } fragment F on Query { b b ...G } fragment G on Query { b b }', 'Root fields limit of 4 exceeded, found 5.'],
  ])('beyond the limit: %s → %s', (query, message) => {
    const { errors, messages, warnings } = check(query);
    expect(messages).toEqual([message]);
    expect(errors.every((error) => isLimitError(error, query, LIMITS.maxTokens))).toBe(true);
    expect(warnings).toEqual([]);
  });

  test('an alias that is longer than 100 characters → an error, enforced or not', () => {
    const query = (length: number) => `{ ${'x'.repeat(length)}: b }`;
    expect(check(query(100)).messages).toEqual([]);
    for (const isEnforced of [true, false]) {
      const { errors, messages } = check(query(101), { isEnforced });
      expect(messages).toEqual(['An alias must have at most 100 characters.']);
      expect(errors.every((error) => isLimitError(error, query(101), LIMITS.maxTokens))).toBe(true);
    }
  });

  test('not enforced → warnings in the log', () => {
    const { messages, warnings } = check('{ x: b y: b z: b b b }', { isEnforced: false });
    expect(messages).toEqual([]);
    expect(warnings).toEqual([
      [{ limit: 'Aliases limit of 2 exceeded, found 3.' }, expect.stringContaining('not enforced')],
      [{ limit: 'Root fields limit of 4 exceeded, found 5.' }, expect.stringContaining('not enforced')],
    ]);
  });

  test.each([
    ['a fragment that spreads itself', '{ b ...F } fragment F on Query { b ...F }'],
    ['fragments that spread each other', '{ b ...F } fragment F on Query { b ...G } fragment G on Query { b ...F }'],
    ['a spread of an unknown fragment', '{ b ...F }'],
  ])('%s → left to the validation rules of GraphQL', (_, query) => {
    expect(check(query).messages).toEqual([]);
  });
});

describe('an error of Apollo Server', () => {
  const isLimitErrorOf = async (query: string): Promise<boolean[]> => {
    const found: boolean[] = [];
    const apollo = new ApolloServer({
      schema,
      parseOptions: { maxTokens: LIMITS.maxTokens },
      maxRecursiveSelections: LIMITS.maxSelections,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      plugins: [
        {
          requestDidStart: async () => ({
            didEncounterErrors: async ({ errors, source }) => {
              found.push(...errors.map((error) => isLimitError(error, source, LIMITS.maxTokens)));
            },
          }),
        },
      ],
    });
    await apollo.executeOperation({ query });
    await apollo.stop();
    return found;
  };

  test.each([
    ['more tokens than allowed', `{ ${'b '.repeat(100)} }`],
    ['more tokens than allowed, then a syntax error', `{ ${'b '.repeat(100)} } }`],
    ['more selections than allowed', `{ ${'...F '.repeat(4)} } fragment F on Query { ${'b '.repeat(6)} }`],
  ])('%s → the limit', async (_, query) => {
    expect(await isLimitErrorOf(query)).toEqual([true]);
  });

  test.each([
    ['a field that does not exist', '{ limit }'],
    ['a syntax error', '{ b } }'],
    ['a character that is not GraphQL', '{ b ? }'],
    ['a syntax error, then more tokens than allowed', `{ ! ${'b '.repeat(100)} }`],
    ['exactly as many tokens as allowed, and a syntax error', `{ ${'b '.repeat(98)} )`],
  ])('%s → a mistake', async (_, query) => {
    expect(await isLimitErrorOf(query)).toEqual([false]);
  });
});

test.each([
  ['request', true],
  ['cost', false],
] as const)('an error of the gateway with the limit %s → %j', (limit, isLimit) => {
  const originalError = new GatewayError('BadDataError', 'too much', { limit });
  expect(isLimitError(new GraphQLError('too much', { originalError }), '{ b }', LIMITS.maxTokens)).toBe(isLimit);
});
