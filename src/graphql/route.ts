import type { ApolloServer, BaseContext } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.js';
import { toRequestErrors } from './format-error.js';
import { isNestedWithinLimit, NESTING_RULE } from './nesting.js';

/** GraphQL over HTTP at `/graphql`. */
export function registerGraphql<Context extends BaseContext>(
  app: FastifyInstance,
  apollo: ApolloServer<Context>,
  toContext: (request: FastifyRequest) => Promise<Context>,
): void {
  app.register(async (graphql) => {
    // What is no JSON is for Apollo Server to refuse, in the words of GraphQL over HTTP.
    graphql.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
    graphql.route({
      url: '/graphql',
      method: ['GET', 'POST'],
      config: { renderError: toRequestErrors },
      onSend: leaveOutUnchanged,
      preHandler: [refuseBadHost, refuseDeepNesting],
      handler: fastifyApolloHandler(apollo, { context: toContext }),
    });
  });
}

/** The integration makes a URL of the host header, and would fail on one that is none. */
async function refuseBadHost({ host }: FastifyRequest): Promise<void> {
  if (!URL.canParse(`http://${host}/`)) throw new GatewayError('BadDataError', 'The host header is not valid.');
}

async function refuseDeepNesting({ body, query }: FastifyRequest): Promise<void> {
  for (const request of [body, query] as ({ query?: unknown } | null | undefined)[]) {
    if (!isNestedWithinLimit(request?.query)) throw new GatewayError('BadDataError', `The document ${NESTING_RULE}.`);
  }
}

/** Apollo Server gives each answer a body; one of 304 has none. */
function leaveOutUnchanged(_: FastifyRequest, reply: FastifyReply, body: unknown, done: DoneFuncWithErrOrRes): void {
  if (reply.statusCode === 304) reply.removeHeader('content-type').removeHeader('content-length');
  done(null, reply.statusCode === 304 ? null : body);
}
