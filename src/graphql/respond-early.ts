import { type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import type { ExecutionResult, FormattedExecutionResult } from 'graphql';
import type { RequestContext } from '../request-context.js';
import type { RunOperation } from './run-operation.js';

/**
 * Runs each operation in a hook, before Apollo Server calls the executor of its `gateway` option (executor.ts). A result without
 * errors becomes the response. For any other result, Apollo Server calls `runOnce` as the executor, and reports the errors.
 *
 * The hook saves memory. Apollo Server passes an executor an object with a getter that refers to the request. V8 allocates such a
 * getter among its old objects. The response would therefore stay in memory until the next full garbage collection
 * (docs/decisions/044-pages-beside-postgraphile.md).
 */
export function respondEarly(runOperation: RunOperation): { plugin: ApolloServerPlugin<RequestContext>; runOnce: RunOperation } {
  const results = new WeakMap<RequestContext, Promise<ExecutionResult>>();
  return {
    /** Returns the result that the hook got for the same context, or else runs the operation. */
    runOnce: (run) => results.get(run.context) ?? runOperation(run),
    plugin: {
      async requestDidStart() {
        return {
          async responseForOperation({ document, operation, contextValue, request: { operationName, variables = {} } }) {
            // If the document has no operation with this name, Apollo Server responds with an error.
            if (!operation) return null;
            const running = runOperation({ document, operation, operationName, variables, context: contextValue });
            // An error that this hook throws would count as a failure of Apollo Server. `runOnce` rethrows the error later.
            const result = await running.catch(() => null);
            if (result && !result.errors) {
              const singleResult = result as FormattedExecutionResult;
              return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
            }
            results.set(contextValue, running);
            return null;
          },
        };
      },
    },
  };
}
