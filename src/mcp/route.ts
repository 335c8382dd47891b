import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors.js';
import { AgentCountsDocument, AgentEventsDocument } from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { COPY_AGE_HEADER } from '../http/copy-age.js';
import { isOfSameOrigin, rejectForeignPages } from '../http/same-origin.js';
import type { RequestContext } from '../request-context.js';
import type { ToGatewayError } from '../to-gateway-error.js';
import { SERVER_ERROR } from './json-rpc.js';

/** The documents that the tools run. */
export const MCP_DOCUMENTS = [AgentCountsDocument, AgentEventsDocument];

export interface McpOptions {
  readonly toGatewayError: ToGatewayError;
  /** The origins of pages that may call the route, besides the gateway's own origin. */
  readonly corsOrigins: readonly string[];
  /**
   * Charges for a message. The queries of its tool are charged later.
   * @throws GatewayError TooManyRequestsError if the budget is used up
   */
  readonly charge: (context: RequestContext) => Promise<void>;
  readonly chargeRejected: (context: RequestContext) => Promise<void>;
}

/** Renders an error of the gateway in the form of JSON-RPC. */
const renderError = (error: GatewayError) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: SERVER_ERROR, message: error.message, data: error.toBody() },
});

/** Serves the Model Context Protocol at `/mcp`: streamable HTTP without sessions and streams (docs/decisions/041-mcp.md). */
export function registerMcp(app: FastifyInstance, documents: OwnDocuments, options: McpOptions): void {
  const { toGatewayError, corsOrigins, charge, chargeRejected } = options;
  app.post('/mcp', {
    config: { operation: 'mcp', renderError, readsLog: true },
    onRequest: async (request) => {
      rejectForeignPages(request, corsOrigins, isOfSameOrigin);
      await charge(request.context);
    },
    handler: async (request, reply) => {
      const { body, headers, context } = request;
      try {
        if (typeof body !== 'object' || body === null || Array.isArray(body))
          throw new GatewayError('BadDataError', 'The body must be one JSON-RPC message. Batches are not supported.');
        // Loading the SDK takes 150 ms and 4 MB, so only a gateway that agents use loads it.
        const { respond } = await import('./server.js');
        const response = await respond({
          documents,
          context,
          copyCompleteAt: (reply.getHeader(COPY_AGE_HEADER) as string | undefined) ?? null,
          message: body,
          protocolVersion: headers['mcp-protocol-version'] as string | undefined,
          toGatewayError,
        });
        return response ?? reply.code(202).send();
      } catch (rejection) {
        await chargeRejected(context);
        throw rejection;
      }
    },
  });
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    config: { operation: 'mcp', renderError },
    handler: (_request, reply) => {
      reply.header('allow', 'POST');
      throw new GatewayError('MethodNotAllowedError', 'This path has neither streams nor sessions. Send each message with POST.');
    },
  });
}
