import { GraphQLScalarType } from 'graphql';

/** For answers alone; what it serializes is a `JsonText` or plain JSON, both of which `toJson` writes. */
export const GraphQLJson = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value, as it was stored: with all digits of its numbers, which a client may round when it reads them.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
});
