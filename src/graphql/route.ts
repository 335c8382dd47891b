import type { ApolloServer, BaseContext } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { WebSocket } from '@fastify/websocket';
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.js';
import { type DocumentChecks, prepareParameters, rejectSpent } from './document-checks.js';
import { toRequestErrors } from './format-error.js';
import type { DocumentParameters } from './trusted-documents.js';

export interface GraphqlRouteOptions<Context extends BaseContext> extends DocumentChecks {
  readonly toContext: (request: FastifyRequest) => Promise<Context>;
  /** Sends the results of a subscription as a stream. Returns null for a POST that does not ask for a stream. */
  readonly stream?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;
  readonly websockets?: WebsocketRoute;
  /** The path of the page to which `/graphql` redirects browsers, relative to `/graphql`; null if there is no page. */
  readonly browserPage?: string | null;
}

export interface WebsocketRoute {
  /** Checks a request before it becomes a WebSocket. @throws GatewayError if the request must not open a WebSocket */
  accept(request: FastifyRequest): void;
  serve(socket: WebSocket, request: FastifyRequest): void;
}

/** Matches the URLs that the router serves as `/graphql`. */
export const GRAPHQL_PATH = /^\/graphql\/?(?:\?|$)/;

/** Serves GraphQL at `/graphql`: over HTTP, and subscriptions over server-sent events, multipart responses and WebSockets. */
export function registerGraphql<Context extends BaseContext>(
  app: FastifyInstance,
  apollo: ApolloServer<Context>,
  { toContext, browserPage = null, stream, websockets, ...checks }: GraphqlRouteOptions<Context>,
): void {
  const respond = fastifyApolloHandler(apollo, { context: toContext });
  app.register(async (graphql) => {
    // Passes on a body that is not JSON as undefined. Apollo Server then rejects the request, as GraphQL over HTTP specifies.
    graphql.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
    const route = {
      url: '/graphql',
      config: {
        renderError: toRequestErrors,
        readsLog: true,
        requiresOriginProof: true,
        ...(browserPage !== null && { browserPage }),
        ...(websockets && { acceptsTokenInFirstMessage: true }),
      },
      onSend: removeBodyOf304,
      preHandler: [
        rejectBadHost,
        async (request: FastifyRequest) => (request.ws ? websockets?.accept(request) : prepareRequest(request, checks)),
      ],
    };
    graphql.route({
      ...route,
      method: 'POST',
      handler(request, reply) {
        return (isRequest(request) && stream?.(request, reply)) || respond.call(this, request, reply);
      },
    });
    graphql.route({ ...route, method: 'GET', handler: respond, ...(websockets && { wsHandler: websockets.serve }) });
  });
}

/** Checks a request before Apollo Server reads it. Replaces the id of a document in the request by the text of the document. */
async function prepareRequest(request: FastifyRequest, checks: DocumentChecks): Promise<void> {
  const { method, context } = request;
  if (method === 'GET') request.query = readParameters(request);
  if (!isRequest(request)) {
    rejectSpent(context, checks);
    return checks.chargeRejected?.(request);
  }
  const parameters = parametersOf(request) as DocumentParameters;
  const prepared = await prepareParameters(parameters, context, checks);
  if (prepared !== parameters) replaceParameters(request, prepared);
}

/** Rejects an invalid host header. Apollo Server's Fastify integration builds a URL from it, and would otherwise fail. */
async function rejectBadHost({ host }: FastifyRequest): Promise<void> {
  if (!URL.canParse(`http://${host}/`)) throw new GatewayError('BadDataError', 'The host header is not a valid host name.');
}

const parametersOf = ({ method, body, query }: FastifyRequest) => (method === 'GET' ? query : body) as unknown;

/** Whether a request has the form of a GraphQL request. Apollo Server rejects all others, such as batches. */
function isRequest(request: FastifyRequest): boolean {
  const parameters = parametersOf(request);
  return typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
}

function replaceParameters(request: FastifyRequest, parameters: DocumentParameters): void {
  if (request.method === 'GET') {
    request.query = parameters;
    request.raw.url = `/graphql?${new URLSearchParams(parameters as Readonly<Record<string, string>>)}`;
  } else {
    request.body = parameters;
  }
}

/** Reads the parameters of a URL as Apollo Server does. Fastify would leave a value with an invalid escape undecoded. */
function readParameters({ raw }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(new URL(raw.url ?? '', 'http://localhost').searchParams);
}

/** Removes the body of a 304, since Apollo Server gives each response a body. */
function removeBodyOf304(_: FastifyRequest, reply: FastifyReply, body: unknown, done: DoneFuncWithErrOrRes): void {
  if (reply.statusCode === 304) reply.removeHeader('content-type').removeHeader('content-length');
  done(null, reply.statusCode === 304 ? null : body);
}
