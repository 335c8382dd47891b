import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GraphQLObjectType, GraphQLSchema, graphqlSync } from 'graphql';
import { parseDateTime } from '../../src/formats/date-time.js';
import { DateTimeISO } from '../../src/graphql/date-time-iso.js';

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: { same: { type: DateTimeISO, args: { at: { type: DateTimeISO } }, resolve: (_, { at }) => at } },
  }),
});
const asVariable = (at: unknown) =>
  graphqlSync({ schema, source: 'query ($at: DateTimeISO) { same(at: $at) }', variableValues: { at } });
const asLiteral = (literal: string) => graphqlSync({ schema, source: `{ same(at: ${literal}) }` });

describe('DateTimeISO', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 12 });
  const text = fc.oneof(
    fc.tuple(fc.date({ noInvalidDate: true }), digits).map(([date, more]) => date.toISOString().replace('Z', `${more}Z`)),
    fc.tuple(fc.date({ noInvalidDate: true }), digits).map(([date, more]) => date.toISOString().replace('Z', `${more}+05:30`)),
    fc.string(),
  );

  test('any text, as a variable or a literal → the value that REST accepts, or an error', () => {
    fc.assert(
      fc.property(text, (at) => {
        const expected = parseDateTime(at)?.toISOString();
        for (const { data, errors } of [asVariable(at), asLiteral(JSON.stringify(at))]) {
          expect(data?.same).toBe(expected);
          if (expected === undefined) expect(errors?.[0]?.message).toContain('must be an RFC 3339 date-time');
        }
      }),
    );
  });

  test.each([0, 1.5, true, {}, []])('%p → an error', (at) => {
    expect(asVariable(at).errors).toHaveLength(1);
    expect(asLiteral(JSON.stringify(at)).errors).toHaveLength(1);
  });

  test('null → null', () => {
    expect(asVariable(null)).toEqual({ data: { same: null } });
  });
});
