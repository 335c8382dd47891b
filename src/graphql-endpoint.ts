import type { FastifyInstance } from 'fastify';
import type { Config } from './config.js';
import { chargeRejected } from './graphql/cost-limit.js';
import type { DocumentChecks } from './graphql/document-checks.js';
import type { GraphqlExecutor } from './graphql/executor.js';
import { registerGraphql } from './graphql/route.js';
import { resolveDocument } from './graphql/trusted-documents.js';
import { createHttpStreams } from './graphql-streams/http-stream.js';
import { createWebsocketRoute } from './graphql-streams/websocket-route.js';
import { IDE_PAGE } from './http/graphiql.js';
import type { CostBudgets } from './limits/budgets.js';
import type { Metrics } from './telemetry/metrics.js';
import { toGatewayError } from './to-gateway-error.js';

interface Parts {
  readonly executor: GraphqlExecutor;
  readonly budgets: CostBudgets;
  readonly observe: Metrics['observe'];
  readonly trusted: Parameters<typeof resolveDocument>[0];
}

/** Serves GraphQL over all its transports. Every transport applies the same checks to a request. */
export function registerGraphqlEndpoint(
  app: FastifyInstance,
  config: Config,
  { executor, budgets, observe, trusted }: Parts,
): void {
  const { apollo, startStream } = executor;
  const checks: DocumentChecks = {
    findDocument: (parameters, requestLog) => resolveDocument(trusted, parameters, requestLog),
    chargeRejected: ({ context }) => chargeRejected(budgets.spend, context),
    findSpent: ({ context }) => (config.graphqlLimits.isEnforced ? budgets.findSpent(context.caller.id) : null),
  };
  registerGraphql(app, apollo, {
    ...checks,
    toContext: async ({ context }) => context,
    stream: createHttpStreams(startStream, checks),
    websockets: createWebsocketRoute({
      checks,
      startStream,
      authenticate: app.authenticateRequest,
      toGatewayError,
      observe,
      limits: config.feedStreams,
      corsOrigins: config.http.corsOrigins,
    }),
    browserPage: config.graphiql ? IDE_PAGE : null,
  });
}
