import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from './context.js';
import { toRequestErrors } from './format-error.js';

/** GraphQL over HTTP at `/graphql`. */
export function registerGraphql(app: FastifyInstance, apollo: ApolloServer<GatewayContext>): void {
  app.route({
    url: '/graphql',
    method: ['GET', 'POST'],
    config: { renderError: toRequestErrors },
    handler: fastifyApolloHandler(apollo, { context: async ({ caller, log }) => ({ caller, log }) }),
  });
}
