import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import { HeaderMap } from '@apollo/server';
import { type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { isListed, REVALIDATED, type ReadLogVersion, toEtag } from '../formats/entity-tag.js';
import type { RequestContext } from '../request-context.js';
import { type ToGatewayError, toGraphqlError } from './format-error.js';

/** The extension of a root field that reads nothing but the event log. Responses of any other field may hold a secret: they are not cached. */
export const READS_LOG_ONLY = { readsLogOnly: true } as const;

/**
 * Answers 304 to a GET whose client has the answer already, as the REST paths do, and lets clients keep what is from the log alone.
 */
export function createConditionalGet(
  schema: GraphQLSchema,
  readVersion: ReadLogVersion,
  toGatewayError: ToGatewayError,
): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let etag: string | null = null;
      return {
        // What fails here is answered like any other error; Apollo Server takes a failure of the hook below for one of its own.
        async didResolveOperation({ request, operation, contextValue, response }) {
          if (!request.http || !isFromLog(operation, schema)) return;
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

/** Returns false for an undefined operation: `operationName` then names none. */
function isFromLog(operation: OperationDefinitionNode | undefined, schema: GraphQLSchema): boolean {
  const fields = schema.getQueryType()?.getFields() ?? {};
  const selections = operation?.selectionSet.selections ?? [];
  const isLogField = (name: string) => name === '__typename' || fields[name]?.extensions['readsLogOnly'] === true;
  return (
    selections.length > 0 && selections.every((selection) => selection.kind === Kind.FIELD && isLogField(selection.name.value))
  );
}
