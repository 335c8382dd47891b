import type { ApolloServerPlugin } from '@apollo/server';
import type { OperationDefinitionNode } from 'graphql';
import type { GatewayError } from '../errors.js';
import type { TakeTurn } from '../limits/fair-queue.js';
import type { RequestContext } from '../request-context.js';
import { toGraphqlError } from './format-error.js';

/** Lets each operation wait for its turn among all callers. It weighs as much as it has root fields, which run at the same time. */
export function createTurns(
  takeTurn: TakeTurn,
  toGatewayError: (thrown: unknown) => GatewayError,
): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let endTurn: () => void = () => undefined;
      return {
        async didResolveOperation({ operation, contextValue: { caller, signal } }) {
          endTurn = await takeTurn(caller.id, weightOf(operation), signal).catch((thrown: unknown) =>
            Promise.reject(toGraphqlError(toGatewayError(thrown))),
          );
        },
        async willSendResponse() {
          endTurn();
        },
      };
    },
  };
}

function weightOf(operation: OperationDefinitionNode | undefined): number {
  return operation?.selectionSet.selections.length ?? 1;
}
