import type { ApolloServer, BaseContext } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorLog, GatewayError } from '../errors.js';
import { isNestedDeeper, JSON_NESTING_RULE, MAX_JSON_NESTING } from '../formats/raw-json.js';
import type { BudgetState } from '../limits/budget.js';
import { overBudget } from './cost-limit.js';
import { toRequestErrors } from './format-error.js';
import { isNestedWithinLimit, NESTING_RULE } from './nesting.js';
import { type DocumentParameters, withoutHash } from './trusted-documents.js';

export interface GraphqlRouteOptions<Context extends BaseContext> {
  readonly toContext: (request: FastifyRequest) => Promise<Context>;
  readonly findDocument?: FindDocument;
  /** Returns the caller's budget if it is used up, and the document is then not read. Otherwise returns null. */
  readonly findSpent?: (request: FastifyRequest) => BudgetState | null;
  /** Charges the caller for a request that is rejected before its operation is known. */
  readonly chargeRejected?: (request: FastifyRequest) => Promise<void>;
  /** The path of the page that a browser gets at `/graphql`, relative to it; null for none. */
  readonly browserPage?: string | null;
}

/** GraphQL over HTTP at `/graphql`. */
export function registerGraphql<Context extends BaseContext>(
  app: FastifyInstance,
  apollo: ApolloServer<Context>,
  {
    toContext,
    findDocument = () => null,
    findSpent = () => null,
    chargeRejected = async () => undefined,
    browserPage = null,
  }: GraphqlRouteOptions<Context>,
): void {
  app.register(async (graphql) => {
    // Apollo Server rejects a body that is not JSON, as GraphQL over HTTP specifies.
    graphql.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
    graphql.route({
      url: '/graphql',
      method: ['GET', 'POST'],
      config: {
        renderError: toRequestErrors,
        readsLog: true,
        requiresOriginProof: true,
        ...(browserPage !== null && { browserPage }),
      },
      onSend: leaveOutUnchanged,
      preHandler: [
        rejectBadHost,
        (request) => rejectSpent(request, findSpent(request)),
        async (request) => {
          if (request.method === 'GET') request.query = readParameters(request);
          if (!isRequest(request)) return chargeRejected(request);
          try {
            rejectDeepJson(request);
            putDocument(request, findDocument);
            rejectDeepNesting(request);
          } catch (rejection) {
            await chargeRejected(request);
            throw rejection;
          }
        },
      ],
      handler: fastifyApolloHandler(apollo, { context: toContext }),
    });
  });
}

/** The Fastify integration builds a URL from the host header, and would fail on an invalid header. */
async function rejectBadHost({ host }: FastifyRequest): Promise<void> {
  if (!URL.canParse(`http://${host}/`)) throw new GatewayError('BadDataError', 'The host header is not a valid host name.');
}

async function rejectSpent({ statistics }: FastifyRequest, budget: BudgetState | null): Promise<void> {
  if (!budget) return;
  statistics.budget = budget;
  throw overBudget(null, budget);
}

/** Returns the text of the document whose id the request contains, or null if the request contains the text. */
export type FindDocument = (parameters: DocumentParameters, log: ErrorLog) => string | null;

const parametersOf = ({ method, body, query }: FastifyRequest) => (method === 'GET' ? query : body) as unknown;

/** Whether a request has the form of a GraphQL request. Apollo Server rejects others, such as batches and non-JSON bodies. */
function isRequest(request: FastifyRequest): boolean {
  const parameters = parametersOf(request);
  return typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
}

/** Replaces a document id in the request with the text of the document, which Apollo Server needs. */
function putDocument(request: FastifyRequest, findDocument: FindDocument): void {
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

function rejectDeepNesting({ body, query }: FastifyRequest): void {
  for (const request of [body, query] as ({ query?: unknown } | null | undefined)[]) {
    if (!isNestedWithinLimit(request?.query)) throw new GatewayError('BadDataError', `The document ${NESTING_RULE}.`);
  }
}

/** Removes the body of a 304, since Apollo Server gives each response a body. */
function leaveOutUnchanged(_: FastifyRequest, reply: FastifyReply, body: unknown, done: DoneFuncWithErrOrRes): void {
  if (reply.statusCode === 304) reply.removeHeader('content-type').removeHeader('content-length');
  done(null, reply.statusCode === 304 ? null : body);
}
