import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import { HeaderMap } from '@apollo/server';
import { Kind, type OperationDefinitionNode } from 'graphql';
import { isListed, REVALIDATED, type ReadLogVersion, toEtag } from '../etag.js';
import type { GatewayContext } from './context.js';

/** The fields that answer from the event log alone. Everything else may hold a secret, and is neither kept nor compressed. */
const LOG_FIELDS: ReadonlySet<string> = new Set(['featureEvents', 'searchEvents', 'events', 'event', '__typename']);

/**
 * Answers 304 to a GET whose client has the answer already, as the REST paths do, and lets clients keep what is from the log alone.
 */
export function createConditionalGet(readVersion: ReadLogVersion): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart() {
      return {
        async responseForOperation({ request, operation, contextValue, response }): Promise<GraphQLResponse | null> {
          const { http } = request;
          if (!http || !isFromLog(operation)) return null;
          response.http.headers.set('cache-control', REVALIDATED);
          if (http.method !== 'GET') return null;
          const etag = toEtag(await readVersion(contextValue.caller));
          response.http.headers.set('etag', etag);
          if (!isListed(etag, http.headers.get('if-none-match'))) return null;
          const headers = new HeaderMap(response.http.headers);
          return { http: { status: 304, headers }, body: { kind: 'single', singleResult: {} } };
        },
        // An answer with an error is of its moment.
        async willSendResponse({ response: { body, http } }) {
          if (body.kind === 'single' && !body.singleResult.errors) return;
          http.headers.delete('etag');
          http.headers.set('cache-control', 'no-store');
        },
      };
    },
  };
}

/** Undefined where `operationName` names none. */
function isFromLog(operation: OperationDefinitionNode | undefined): boolean {
  const selections = operation?.selectionSet.selections ?? [];
  return (
    selections.length > 0 &&
    selections.every((selection) => selection.kind === Kind.FIELD && LOG_FIELDS.has(selection.name.value))
  );
}
