import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import { HeaderMap } from '@apollo/server';
import { Kind, type OperationDefinitionNode } from 'graphql';
import { isListed, REVALIDATED, type ReadLogVersion, toEtag } from '../formats/entity-tag.js';
import type { RequestContext } from './context.js';
import { type ToGatewayError, toGraphqlError } from './format-error.js';

/** The fields that answer from the event log alone. Everything else may hold a secret, and is neither kept nor compressed. */
const LOG_FIELDS: ReadonlySet<string> = new Set(['featureEvents', 'searchEvents', 'events', 'event', '__typename']);

/**
 * Answers 304 to a GET whose client has the answer already, as the REST paths do, and lets clients keep what is from the log alone.
 */
export function createConditionalGet(
  readVersion: ReadLogVersion,
  toGatewayError: ToGatewayError,
): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let etag: string | null = null;
      return {
        // What fails here is answered like any other error; Apollo Server takes a failure of the hook below for one of its own.
        async didResolveOperation({ request, operation, contextValue, response }) {
          if (!request.http || !isFromLog(operation)) return;
          response.http.headers.set('cache-control', REVALIDATED);
          if (request.http.method !== 'GET') return;
          try {
            etag = toEtag(await readVersion(contextValue.caller));
          } catch (thrown) {
            throw toGraphqlError(toGatewayError(thrown));
          }
          response.http.headers.set('etag', etag);
        },
        async responseForOperation({ request, response }): Promise<GraphQLResponse | null> {
          if (etag === null || !isListed(etag, request.http?.headers.get('if-none-match'))) return null;
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
