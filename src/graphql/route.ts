import type { ApolloServer, BaseContext } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorLog, GatewayError } from '../errors.js';
import type { BudgetState } from '../telemetry/request-statistics.js';
import { allSpent } from './cost-limit.js';
import { toRequestErrors } from './format-error.js';
import { isNestedWithinLimit, NESTING_RULE } from './nesting.js';
import { type DocumentParameters, withoutHash } from './trusted-documents.js';

export interface GraphqlRouteOptions<Context extends BaseContext> {
  readonly toContext: (request: FastifyRequest) => Promise<Context>;
  readonly findDocument?: FindDocument;
  /** The budget of who has nothing left of it, and whose document is therefore not even read; else null. */
  readonly findSpent?: (request: FastifyRequest) => BudgetState | null;
  /** Charges who sends what is refused before it is known what it asks for. */
  readonly chargeRefused?: (request: FastifyRequest) => Promise<void>;
}

/** GraphQL over HTTP at `/graphql`. */
export function registerGraphql<Context extends BaseContext>(
  app: FastifyInstance,
  apollo: ApolloServer<Context>,
  {
    toContext,
    findDocument = () => null,
    findSpent = () => null,
    chargeRefused = async () => undefined,
  }: GraphqlRouteOptions<Context>,
): void {
  app.register(async (graphql) => {
    // What is no JSON is for Apollo Server to refuse, in the words of GraphQL over HTTP.
    graphql.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
    graphql.route({
      url: '/graphql',
      method: ['GET', 'POST'],
      config: { renderError: toRequestErrors },
      onSend: leaveOutUnchanged,
      preHandler: [
        refuseBadHost,
        (request) => refuseSpent(request, findSpent(request)),
        async (request) => {
          if (!isRequest(request)) return chargeRefused(request);
          try {
            putDocument(request, findDocument);
            refuseDeepNesting(request);
          } catch (refusal) {
            await chargeRefused(request);
            throw refusal;
          }
        },
      ],
      handler: fastifyApolloHandler(apollo, { context: toContext }),
    });
  });
}

/** The integration makes a URL of the host header, and would fail on one that is none. */
async function refuseBadHost({ host }: FastifyRequest): Promise<void> {
  if (!URL.canParse(`http://${host}/`)) throw new GatewayError('BadDataError', 'The host header is not valid.');
}

async function refuseSpent({ statistics }: FastifyRequest, budget: BudgetState | null): Promise<void> {
  if (!budget) return;
  statistics.budget = budget;
  throw allSpent(budget);
}

/** The text of the document that a request means by an id; null where it sends the text itself. */
export type FindDocument = (parameters: DocumentParameters, log: ErrorLog) => string | null;

const parametersOf = ({ method, body, query }: FastifyRequest) => (method === 'GET' ? query : body) as unknown;

/** Whether it is a GraphQL request by its form; Apollo Server refuses what is none, as a batch or what is no JSON. */
function isRequest(request: FastifyRequest): boolean {
  const parameters = parametersOf(request);
  return typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
}

/** Apollo Server reads the text of the document; of a request by id, it is put in the place of the id. */
function putDocument(request: FastifyRequest, findDocument: FindDocument): void {
  const { method, log, raw } = request;
  const parameters = parametersOf(request) as DocumentParameters;
  const text = findDocument(parameters, log);
  if (text === null) return;
  const { documentId: _, extensions, ...others } = parameters;
  const kept = withoutHash(extensions);
  const resolved = { ...others, query: text, ...(kept && { extensions: method === 'GET' ? JSON.stringify(kept) : kept }) };
  if (method === 'GET') {
    request.query = resolved;
    raw.url = `/graphql?${new URLSearchParams(resolved as Record<string, string>)}`;
  } else {
    request.body = resolved;
  }
}

function refuseDeepNesting({ body, query }: FastifyRequest): void {
  for (const request of [body, query] as ({ query?: unknown } | null | undefined)[]) {
    if (!isNestedWithinLimit(request?.query)) throw new GatewayError('BadDataError', `The document ${NESTING_RULE}.`);
  }
}

/** Apollo Server gives each answer a body; one of 304 has none. */
function leaveOutUnchanged(_: FastifyRequest, reply: FastifyReply, body: unknown, done: DoneFuncWithErrOrRes): void {
  if (reply.statusCode === 304) reply.removeHeader('content-type').removeHeader('content-length');
  done(null, reply.statusCode === 304 ? null : body);
}
