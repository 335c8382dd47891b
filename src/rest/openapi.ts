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
          'Lists the events of one feature flag, searches events, and creates and reads public signup tokens. GraphQL at /graphql serves the same data.',
        version: '1.0.0',
      },
      components: {
        securitySchemes: {
          apiToken: {
            type: 'apiKey',
            in: 'header',
            name: 'authorization',
            description: 'An API token, with or without the prefix `Bearer `.',
          },
        },
      },
      security: [{ apiToken: [] }],
    },
  });
  app.get('/openapi.json', { config: { isOpen: true } }, async () => app.swagger());
}
