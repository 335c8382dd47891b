import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import { HeaderMap } from '@apollo/server';
import { type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { isListed, REVALIDATED, toEtag } from '../formats/etag.js';
import type { ReadLogVersion } from '../log-version/version.js';
import type { RequestContext } from '../request-context.js';
import type { ToGatewayError } from '../to-gateway-error.js';
import { toGraphqlError } from './format-error.js';
import { readsLogOnly } from './reads-log-only.js';

/**
 * Lets clients cache responses from the event log. As over REST (rest/entity-tag.ts), a GET gets 304 if the client has the current
 * response.
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
        // An error here becomes a normal error response. In `responseForOperation`, it would count as a failure of Apollo Server.
        async didResolveOperation({ request, operation, contextValue, response }) {
          if (!request.http || !isFromLog(operation, schema)) return;
          response.http.headers.set('cache-control', REVALIDATED);
          if (request.http.method !== 'GET') return;
          try {
            etag = toEtag(await readVersion(contextValue));
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
        // A response with an error must not be cached, since a retry may succeed.
        async willSendResponse({ response: { body, http } }) {
          if (body.kind === 'single' && !body.singleResult.errors) return;
          http.headers.delete('etag');
          http.headers.set('cache-control', 'no-store');
        },
      };
    },
  };
}

/** Whether all root fields read only the event log. The operation is undefined if `operationName` names no operation. */
function isFromLog(operation: OperationDefinitionNode | undefined, schema: GraphQLSchema): boolean {
  const fields = schema.getQueryType()?.getFields() ?? {};
  const selections = operation?.selectionSet.selections ?? [];
  const isLogField = (name: string) => {
    const field = fields[name];
    return name === '__typename' || (field !== undefined && readsLogOnly(field));
  };
  return (
    selections.length > 0 && selections.every((selection) => selection.kind === Kind.FIELD && isLogField(selection.name.value))
  );
}
