import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { SESSION_COOKIE } from '../auth/credential.js';
import { version } from '../package.js';
import { ERROR_SCHEMAS } from './error-responses.js';
import { EventFeed } from './feed-schema.js';
import { WIRE_SCHEMAS } from './wire-schemas.js';

/** Serves the OpenAPI document, with the schemas of all routes that are registered afterwards. */
export async function registerOpenapi(app: FastifyInstance): Promise<void> {
  for (const schema of [...WIRE_SCHEMAS, EventFeed, ...ERROR_SCHEMAS]) app.addSchema(schema);
  await app.register(swagger, {
    hideUntagged: true,
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Event log and public signup token admin API',
        description:
          'Reads, counts, follows and exports events, and creates and reads public signup tokens. GraphQL at /graphql serves the same data.',
        version,
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'The gateway that serves this document.' }],
      tags: [
        { name: 'Events', description: 'The event log. Each event records a change or occurrence in the system.' },
        { name: 'Public signup tokens', description: 'Invite links. People who join through one get the Viewer role.' },
      ],
      components: {
        securitySchemes: {
          apiToken: {
            type: 'apiKey',
            in: 'header',
            name: 'authorization',
            description: 'An API token, with or without the prefix `Bearer `.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description:
              "The session of a user of Unleash's own UI, where the gateway runs beside that server. A request with an " +
              'authorization header ignores it. A request that changes something must come from a page of the same origin.',
          },
        },
      },
      security: [{ apiToken: [] }, { session: [] }],
    },
  });
  app.get('/openapi.json', { config: { isOpen: true } }, async () => app.swagger());
}
