import { expect, test } from '@jest/globals';
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, getOperationAST, parse } from 'graphql';
import { createRunOperation } from '../../src/graphql/run-operation.js';
import type { RequestContext } from '../../src/request-context.js';

/** Runs `{ a }` on a schema whose field has this value. Returns the contexts for which the result was reported as written. */
async function findWritten(value: unknown, context: RequestContext): Promise<RequestContext[]> {
  const query = new GraphQLObjectType({ name: 'Query', fields: { a: { type: GraphQLInt, resolve: () => value } } });
  const written: RequestContext[] = [];
  const run = createRunOperation(new GraphQLSchema({ query }), { onWritten: (ended) => written.push(ended) });
  const document = parse('{ a }');
  const operation = getOperationAST(document) ?? undefined;
  await run({ document, operation, operationName: null, variables: {}, context });
  return written;
}

test('a result that the plan has written → the operation is reported as written once', async () => {
  const context = {} as RequestContext;
  const written = await findWritten(1, context);
  expect(written).toHaveLength(1);
  expect(written[0]).toBe(context);
});

test('a value that does not fit its type → graphql-js runs the operation, and nothing is reported as written', async () => {
  expect(await findWritten('no number', {} as RequestContext)).toEqual([]);
});
