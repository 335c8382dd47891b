import type { ApolloServerPlugin } from '@apollo/server';
import { type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql';
import type { Enqueue } from '../limits/fair-queue.js';
import type { RequestContext } from '../request-context.js';
import { countRootFields } from './document-limits.js';
import { type ToGatewayError, toGraphqlError } from './format-error.js';

/** Lets each operation wait for its turn among all callers. It weighs as much as it has root fields, which run at the same time. */
export function createTurns(enqueue: Enqueue, toGatewayError: ToGatewayError): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let endTurn: () => void = () => undefined;
      return {
        async didResolveOperation({ document, operation, contextValue: { caller, signal } }) {
          try {
            const { started, leave } = enqueue(caller.id, weightOf(document, operation));
            signal.addEventListener('abort', leave);
            // A request can have many operations, one after the other.
            endTurn = () => {
              signal.removeEventListener('abort', leave);
              leave();
            };
            if (signal.aborted) leave();
            await started;
          } catch (thrown) {
            throw toGraphqlError(toGatewayError(thrown));
          }
        },
        // Apollo Server runs the hook above of all plugins at the same time. If another one rejects the operation, the response is sent
        // before the turn has come.
        async willSendResponse() {
          endTurn();
        },
      };
    },
  };
}

function weightOf({ definitions }: DocumentNode, operation: OperationDefinitionNode | undefined): number {
  if (!operation) return 1;
  return countRootFields(operation.selectionSet, (name) =>
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .find((fragment) => fragment.name.value === name),
  );
}
