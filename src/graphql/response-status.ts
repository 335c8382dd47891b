import type { ApolloServerPlugin } from '@apollo/server';
import { ERRORS, GatewayError } from '../errors.js';
import type { RequestContext } from '../request-context.js';
import { isLimitError } from './document-limits.js';

const OK_WITH_ERRORS: ReadonlySet<unknown> = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT']);

/**
 * GraphQL over HTTP: a client that accepts `application/json` cannot distinguish a 400 of the gateway from a 400 of a proxy. It
 * gets 200 if the document or its variables are not valid. Every client gets 400 for a document over a limit.
 */
export function respondOkToLegacyClients(maxTokens: number): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart() {
      let exceedsLimit = false;
      return {
        async didEncounterErrors({ errors, source, contextValue }) {
          exceedsLimit ||= errors.some((error) => isLimitError(error, source, maxTokens));
          if (exceedsLimit) contextValue.statistics.limit ??= 'request';
        },
        async willSendResponse({ request, response: { body, http } }) {
          const accept = request.http?.headers.get('accept') ?? '';
          if (exceedsLimit || !accept.includes('application/json') || accept.includes('application/graphql-response+json'))
            return;
          if (body.kind !== 'single' || (http.status !== undefined && http.status !== 400)) return;
          const codes = body.singleResult.errors?.map(({ extensions }) => extensions?.code) ?? [];
          if (codes.length > 0 && codes.every((code) => OK_WITH_ERRORS.has(code))) http.status = 200;
        },
      };
    },
  };
}

/**
 * Responds to the whole request with the error of one field if the database was unavailable, or if the operation is over a limit: the client
 * should send all of it again, later or in smaller parts.
 */
export const respondWhole: ApolloServerPlugin<RequestContext> = {
  async requestDidStart() {
    let limitStatus: number | undefined;
    return {
      async didEncounterErrors({ errors }) {
        for (const { originalError } of errors)
          if (originalError instanceof GatewayError && originalError.limit) limitStatus = originalError.status;
      },
      async willSendResponse({ response: { body, http } }) {
        if (body.kind !== 'single') return;
        const { code, status } = ERRORS.ServiceUnavailableError;
        const isUnavailable = body.singleResult.errors?.some(({ extensions }) => extensions?.code === code);
        const whole = isUnavailable ? status : limitStatus;
        if (whole === undefined) return;
        http.status = whole;
        delete body.singleResult.data;
      },
    };
  },
};
