import { ApolloServer, type BaseContext } from '@apollo/server';
import { defineIntegrationTestSuite } from '@apollo/server-integration-testsuite';
import { pino } from 'pino';
import { parseConfig } from '../../src/config.js';
import { registerGraphql } from '../../src/graphql/route.js';
import { createServer } from '../../src/http/server.js';
import { toGatewayError } from '../../src/to-gateway-error.js';

const caller = { id: 'test', name: 'test', email: null, userId: null, role: 'ADMIN', projects: 'all', expiresAt: null } as const;

/** Runs Apollo's integration tests against our HTTP server and GraphQL route. Every request counts as authenticated. */
defineIntegrationTestSuite(async (config, options) => {
  const server = new ApolloServer<BaseContext>(config as never);
  await server.start();
  const app = await createServer({
    log: pino({ level: 'silent' }),
    authenticate: async () => caller,
    findOutage: () => null,
    traced: false,
    sessionCookie: null,
    isStopping: () => false,
    observe: () => undefined,
    http: parseConfig({}).http,
    toGatewayError,
  });
  const toContext = (options?.context ?? (async () => ({}))) as () => Promise<BaseContext>;
  registerGraphql(app, server, { toContext });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { server: server as never, url: `${url}/graphql`, extraCleanup: () => app.close() };
});
