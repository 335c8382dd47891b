import type { ApolloServerPlugin } from '@apollo/server';
import type { OperationDefinitionNode } from 'graphql';
import type { TakeTurn } from '../limits/fair-queue.js';
import type { RequestContext } from '../request-context.js';
import { type ToGatewayError, toGraphqlError } from './format-error.js';

/** Lets each operation wait for its turn among all callers. It weighs as much as it has root fields, which run at the same time. */
export function createTurns(takeTurn: TakeTurn, toGatewayError: ToGatewayError): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      // Apollo Server runs this hook of all plugins at the same time. If another one rejects the operation, the response is sent before the
      // turn has come.
      const sent = new AbortController();
      let endTurn: () => void = () => undefined;
      return {
        async didResolveOperation({ operation, contextValue: { caller, signal } }) {
          try {
            const end = await takeTurn(caller.id, weightOf(operation), AbortSignal.any([signal, sent.signal]));
            if (sent.signal.aborted) end();
            else endTurn = end;
          } catch (thrown) {
            throw toGraphqlError(toGatewayError(thrown));
          }
        },
        async willSendResponse() {
          sent.abort();
          endTurn();
        },
      };
    },
  };
}

function weightOf(operation: OperationDefinitionNode | undefined): number {
  return operation?.selectionSet.selections.length ?? 1;
}
