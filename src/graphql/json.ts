import { GraphQLScalarType } from 'graphql';

/** The scalar of JSON, which occurs in responses only. Its values are `JsonText` or plain JSON, and `toJson` writes both. */
export const GraphQLJson = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value, exactly as stored. Numbers have all their digits; a client may round them when it parses them.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
});
