import { ApolloServer } from '@apollo/server';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, type ExecutionResult, GraphQLError } from 'graphql';
import { respondEarly } from '../../src/graphql/respond-early.js';
import type { OperationRun } from '../../src/graphql/run-operation.js';
import type { RequestContext } from '../../src/request-context.js';

const schema = buildSchema('type Query { a: Int }');

/** Executes `{ a }` on a server, and counts how often the operation ran and how often the gateway was called. */
async function executeOnce(run: () => Promise<ExecutionResult>) {
  let [runs, calls] = [0, 0];
  const early = respondEarly(() => {
    runs += 1;
    return run();
  });
  const server = new ApolloServer<RequestContext>({
    gateway: {
      load: async () => ({
        executor: ({ document, operation, context }) => {
          calls += 1;
          return early.runOnce({ document, operation, context, variables: {} } as unknown as OperationRun);
        },
      }),
      onSchemaLoadOrUpdate(callback) {
        callback({ apiSchema: schema, coreSupergraphSdl: '' });
        return () => undefined;
      },
      stop: async () => undefined,
    },
    plugins: [early.plugin],
  });
  const { body } = await server.executeOperation({ query: '{ a }' }, { contextValue: {} as RequestContext });
  await server.stop();
  if (body.kind !== 'single') throw new Error('The result has several parts.');
  return { runs, calls, result: body.singleResult };
}

describe('the response of an operation before the gateway of Apollo Server is called', () => {
  test('a result without errors is the response, and the gateway is not called', async () => {
    const { runs, calls, result } = await executeOnce(async () => ({ data: { a: 1 } }));
    expect({ runs, calls }).toEqual({ runs: 1, calls: 0 });
    expect(result).toEqual({ data: { a: 1 } });
  });

  test('a result with errors is reported by Apollo Server, and the operation does not run twice', async () => {
    const errors = [new GraphQLError('wrong', { path: ['a'] })];
    const { runs, calls, result } = await executeOnce(async () => ({ data: { a: null }, errors }));
    expect({ runs, calls }).toEqual({ runs: 1, calls: 1 });
    expect(result).toMatchObject({ data: { a: null }, errors: [{ message: 'wrong', path: ['a'] }] });
  });

  test('a thrown error is reported by Apollo Server, and the operation does not run twice', async () => {
    const { runs, calls, result } = await executeOnce(async () => {
      throw new GraphQLError('thrown');
    });
    expect({ runs, calls }).toEqual({ runs: 1, calls: 1 });
    expect(result.errors?.map(({ message }) => message)).toEqual(['thrown']);
  });
});
