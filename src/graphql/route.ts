import type { ApolloServer, BaseContext } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { WebSocket } from '@fastify/websocket';
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.js';
import { isNestedDeeper, JSON_NESTING_RULE, MAX_JSON_NESTING } from '../formats/raw-json.js';
import type { BudgetState } from '../limits/budget.js';
import { overBudget } from './cost-limit.js';
import type { DocumentChecks } from './document-checks.js';
import { toRequestErrors } from './format-error.js';
import { rejectDeepNesting } from './nesting.js';
import { type DocumentParameters, withoutHash } from './trusted-documents.js';

export interface GraphqlRouteOptions<Context extends BaseContext> extends DocumentChecks {
  readonly toContext: (request: FastifyRequest) => Promise<Context>;
  /** Sends the results of a subscription as a stream. Null for a POST that wants no stream. */
  readonly stream?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;
  /** Serves WebSockets. */
  readonly websockets?: WebsocketRoute;
  /** The path of the page that a browser gets at `/graphql`, relative to it; null for none. */
  readonly browserPage?: string | null;
}

export interface WebsocketRoute {
  /** Decides about a request before it becomes a WebSocket. @throws GatewayError if it must not become one */
  accept(request: FastifyRequest): void;
  serve(socket: WebSocket, request: FastifyRequest): void;
}

/** The path of GraphQL, as the router reads it. */
export const GRAPHQL_PATH = /^\/graphql\/?(?:\?|$)/;

/** GraphQL at `/graphql`: over HTTP, and subscriptions over server-sent events, multipart responses and WebSockets. */
export function registerGraphql<Context extends BaseContext>(
  app: FastifyInstance,
  apollo: ApolloServer<Context>,
  { toContext, browserPage = null, stream, websockets, ...checks }: GraphqlRouteOptions<Context>,
): void {
  const respond = fastifyApolloHandler(apollo, { context: toContext });
  app.register(async (graphql) => {
    // Apollo Server rejects a body that is not JSON, as GraphQL over HTTP specifies.
    graphql.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
    const route = {
      url: '/graphql',
      config: {
        renderError: toRequestErrors,
        readsLog: true,
        requiresOriginProof: true,
        ...(browserPage !== null && { browserPage }),
        ...(websockets && { takesTokenByWebsocket: true }),
      },
      onSend: leaveOutUnchanged,
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

/** Checks a request before Apollo Server reads it, and puts the text of its document into it. */
async function prepareRequest(request: FastifyRequest, checks: DocumentChecks): Promise<void> {
  const { findDocument, findSpent, chargeRejected } = checks;
  rejectSpent(request, findSpent?.(request) ?? null);
  if (request.method === 'GET') request.query = readParameters(request);
  if (!isRequest(request)) return chargeRejected?.(request);
  try {
    rejectDeepJson(request);
    if (findDocument) putDocument(request, findDocument);
    rejectDeepNesting((request.body as DocumentParameters | null | undefined)?.query);
    rejectDeepNesting((request.query as DocumentParameters | undefined)?.query);
  } catch (rejection) {
    await chargeRejected?.(request);
    throw rejection;
  }
}

/** The Fastify integration builds a URL from the host header, and would fail on an invalid header. */
async function rejectBadHost({ host }: FastifyRequest): Promise<void> {
  if (!URL.canParse(`http://${host}/`)) throw new GatewayError('BadDataError', 'The host header is not a valid host name.');
}

function rejectSpent({ statistics }: FastifyRequest, budget: BudgetState | null): void {
  if (!budget) return;
  statistics.budget = budget;
  throw overBudget(null, budget);
}

const parametersOf = ({ method, body, query }: FastifyRequest) => (method === 'GET' ? query : body) as unknown;

/** Whether a request has the form of a GraphQL request. Apollo Server rejects others, such as batches and non-JSON bodies. */
function isRequest(request: FastifyRequest): boolean {
  const parameters = parametersOf(request);
  return typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
}

/** Replaces a document id in the request with the text of the document, which Apollo Server needs. */
function putDocument(request: FastifyRequest, findDocument: NonNullable<DocumentChecks['findDocument']>): void {
  const { method, log, raw } = request;
  const parameters = parametersOf(request) as DocumentParameters;
  const text = findDocument(parameters, log);
  if (text === null) return;
  const { documentId: _, extensions, ...others } = parameters;
  const rest = withoutHash(extensions);
  const resolved = { ...others, query: text, ...(rest && { extensions: method === 'GET' ? JSON.stringify(rest) : rest }) };
  if (method === 'GET') {
    request.query = resolved;
    raw.url = `/graphql?${new URLSearchParams(resolved as Record<string, string>)}`;
  } else {
    request.body = resolved;
  }
}

/** Reads the parameters of a URL as Apollo Server does, which tolerates a wrong escape. Fastify leaves the whole text encoded then. */
function readParameters({ raw }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(new URL(raw.url ?? '', 'http://localhost').searchParams);
}

/** Rejects nested JSON in a URL. A body was checked when it was parsed. */
function rejectDeepJson({ method, query }: FastifyRequest): void {
  if (method !== 'GET') return;
  const parameters = query as Readonly<Record<string, string>>;
  for (const name of ['variables', 'extensions'])
    if (isNestedDeeper(parameters[name] ?? '', MAX_JSON_NESTING))
      throw new GatewayError('BadDataError', `The JSON of the ${name} ${JSON_NESTING_RULE}.`);
}

/** Removes the body of a 304, since Apollo Server gives each response a body. */
function leaveOutUnchanged(_: FastifyRequest, reply: FastifyReply, body: unknown, done: DoneFuncWithErrOrRes): void {
  if (reply.statusCode === 304) reply.removeHeader('content-type').removeHeader('content-length');
  done(null, reply.statusCode === 304 ? null : body);
}
