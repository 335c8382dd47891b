import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLError } from 'graphql';
import { ERRORS, GatewayError } from '../errors.js';
import type { RequestContext } from '../request-context.js';
import { isLimitError } from './document-limits.js';

const OK_WITH_ERRORS: ReadonlySet<unknown> = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT']);

/**
 * Chooses the HTTP status of a response with errors:
 *
 * - 503 if the database was unavailable for any field. If the operation or a field exceeds a limit, the status of that limit. In
 *   both cases, the response has no data, so that the client sends the whole operation again, later or in smaller parts.
 * - 200 for a client that accepts `application/json` but not `application/graphql-response+json`, if the document or its
 *   variables are not valid. GraphQL over HTTP advises this, because such a client cannot distinguish a 400 of the gateway from
 *   a 400 of a proxy.
 */
export function chooseResponseStatus(maxTokens: number): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let limitStatus = 0;
      return {
        async didEncounterErrors({ errors, source, contextValue }) {
          limitStatus = Math.max(limitStatus, ...errors.map((error) => statusOfLimit(error, source, maxTokens)));
          if (limitStatus === ERRORS.BadDataError.status) contextValue.statistics.limit ??= 'request';
        },
        async willSendResponse({ request, response: { body, http } }) {
          if (body.kind !== 'single') return;
          const codes = body.singleResult.errors?.map(({ extensions }) => extensions?.code) ?? [];
          const { code, status } = ERRORS.ServiceUnavailableError;
          const whole = codes.includes(code) ? status : limitStatus;
          if (whole > 0) {
            http.status = whole;
            delete body.singleResult.data;
          } else if (isLegacy(request.http?.headers.get('accept') ?? '') && (http.status === undefined || http.status === 400)) {
            if (codes.length > 0 && codes.every((found) => OK_WITH_ERRORS.has(found))) http.status = 200;
          }
        },
      };
    },
  };
}

/** Returns the status of an error about a limit, or 0 for any other error. */
function statusOfLimit(error: GraphQLError, source: string | undefined, maxTokens: number): number {
  const { originalError } = error;
  if (originalError instanceof GatewayError && originalError.limit) return originalError.status;
  return isLimitError(error, source, maxTokens) ? ERRORS.BadDataError.status : 0;
}

function isLegacy(accept: string): boolean {
  return accept.includes('application/json') && !accept.includes('application/graphql-response+json');
}
