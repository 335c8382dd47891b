import { type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import type { ExecutionResult, FormattedExecutionResult } from 'graphql';
import type { RequestContext } from '../request-context.js';
import type { RunOperation } from './run-operation.js';

/**
 * Runs operations in a hook before Apollo Server calls its gateway. A result without errors is the response. The gateway gets any other
 * result, and Apollo Server then reports its errors.
 *
 * Apollo Server gives a gateway an object with a getter that refers to the request. V8 allocates the accessor of such an object among its old
 * objects. The response would therefore survive every collection of young objects until the next full one (docs/decisions/044-pages-beside-postgraphile.md).
 */
export function respondEarly(runOperation: RunOperation): { plugin: ApolloServerPlugin<RequestContext>; runOnce: RunOperation } {
  const results = new WeakMap<RequestContext, Promise<ExecutionResult>>();
  return {
    /** Returns the result that the hook got for the same context. */
    runOnce: (run) => results.get(run.context) ?? runOperation(run),
    plugin: {
      async requestDidStart() {
        return {
          async responseForOperation({ document, operation, contextValue, request: { operationName, variables = {} } }) {
            // Without an operation there is only an error.
            if (!operation) return null;
            const running = runOperation({ document, operation, operationName, variables, context: contextValue });
            // Apollo Server reports an error that is thrown by a gateway as an error of the operation, unlike one that is thrown here.
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
