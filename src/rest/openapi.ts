import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

/** Collects the schemas of the routes registered after it. */
export async function registerOpenapi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Event log and public signup token admin API',
        description:
          'Reading the events of one feature flag, searching events, and creating a public signup token. The same data is served over GraphQL at /graphql.',
        version: '1.0.0',
      },
      components: {
        securitySchemes: {
          apiToken: {
            type: 'apiKey',
            in: 'header',
            name: 'authorization',
            description: 'An API token, as it is or after `Bearer `.',
          },
        },
      },
      security: [{ apiToken: [] }],
    },
  });
  app.get('/openapi.json', { config: { isOpen: true } }, async () => app.swagger());
}
