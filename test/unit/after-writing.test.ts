import { expect, test } from '@jest/globals';
import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, getOperationAST, parse } from 'graphql';
import { createRunOperation } from '../../src/graphql/run-operation.js';
import type { RequestContext } from '../../src/request-context.js';

const queryWith = (value: unknown) =>
  new GraphQLObjectType({ name: 'Query', fields: { a: { type: GraphQLInt, resolve: () => value } } });

/** Runs `{ a }`. Returns the contexts for which the result was reported as written. */
async function findWritten(query: GraphQLObjectType, context: RequestContext): Promise<RequestContext[]> {
  const written: RequestContext[] = [];
  const run = createRunOperation(new GraphQLSchema({ query }), { onWritten: (ended) => written.push(ended) });
  const document = parse('{ a }');
  const operation = getOperationAST(document) ?? undefined;
  await run({ document, operation, operationName: null, variables: {}, context });
  return written;
}

test('a result that the plan has written → the operation is reported as written once', async () => {
  const context = {} as RequestContext;
  const written = await findWritten(queryWith(1), context);
  expect(written).toHaveLength(1);
  expect(written[0]).toBe(context);
});

test('a non-null field that fails → nothing is reported as written, because other fields may still be reading', async () => {
  const fail = () => {
    throw new Error('The field has failed.');
  };
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: { a: { type: new GraphQLNonNull(GraphQLInt), resolve: fail } },
  });
  expect(await findWritten(query, {} as RequestContext)).toEqual([]);
});

test('a value that does not fit its type → graphql-js runs the operation, and nothing is reported as written', async () => {
  expect(await findWritten(queryWith('no number'), {} as RequestContext)).toEqual([]);
});
