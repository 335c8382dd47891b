import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createAuthenticate } from './auth/authenticate.js';
import { SESSION_COOKIE } from './auth/credential.js';
import type { Config } from './config.js';
import { CONSOLE_DOCUMENTS } from './console-documents.js';
import { databaseUnavailable } from './database/error-causes.js';
import type { Database } from './database/open.js';
import { findUnready } from './database/readiness.js';
import type { Replicas } from './database/replicas.js';
import { createEventCountsService } from './event-counts/event-counts.service.js';
import { createEventFeedService } from './event-feed/event-feed.service.js';
import { FeedEndWatcher } from './event-feed/feed-end-watcher.js';
import { FeedStreams } from './event-feed/feed-streams.js';
import { chooseAmongReplicas } from './events/choose-replica.js';
import { createEventService, type EventService } from './events/event.service.js';
import { COST_OF_VERSION, maxCostOfRows } from './events/event-cost.js';
import { createEventLog, type EventLogs } from './events/event-log.js';
import { MAX_LIMIT } from './events/event-page.js';
import type { ChargeReads } from './events/log-reader.js';
import { releaseEvents } from './events/written-events.js';
import { createGatewaySchema, type Services } from './gateway-schema.js';
import { LEAST_COST } from './graphql/cost.js';
import { chargeRejected, createWorkCharge } from './graphql/cost-limit.js';
import { startExecutor } from './graphql/executor.js';
import { createResponseMemo } from './graphql/response-memo.js';
import { GRAPHQL_PATH } from './graphql/route.js';
import type { ExecutionOptions } from './graphql/run-operation.js';
import { NO_DOCUMENTS, readTrustedDocuments } from './graphql/trusted-documents.js';
import { registerGraphqlEndpoint } from './graphql-endpoint.js';
import { registerConsole } from './http/console.js';
import { reportOldCopy } from './http/copy-age.js';
import { registerGraphiql } from './http/graphiql.js';
import { registerHealth, registerMetrics } from './http/health.js';
import { createServer } from './http/server.js';
import { createCostBudgets } from './limits/budgets.js';
import { limitFailedLogins } from './limits/failed-logins.js';
import { createFairQueue, type InTurn, toQueueLimits } from './limits/in-turn.js';
import { describeMirror, findOldCopy, type MirrorWatch } from './log-copy/mirror-age.js';
import type { ReadLogVersion } from './log-version/version.js';
import { MCP_DOCUMENTS, registerMcp } from './mcp/route.js';
import type { RequestContext } from './request-context.js';
import { REST_DOCUMENTS, registerRest } from './rest/routes.js';
import { createSignupTokenService } from './signup-tokens/signup-token.service.js';
import type { Storage } from './storage.js';
import { createMetrics } from './telemetry/metrics.js';
import { toGatewayError } from './to-gateway-error.js';

/** The parts that the server is built on, such as the logger, the opened database and the stores. */
interface Parts {
  readonly log: Logger;
  readonly database: Database;
  readonly storage: Storage;
  readonly replicas: Replicas;
  readonly mirror: MirrorWatch;
  readonly traced: boolean;
  readonly isStopping: () => boolean;
}

/** The embedded database runs one query at a time. Its own queue is not fair, so further queries wait in the fair queue. */
const EMBEDDED_QUERIES = 1;

/** Builds the services on their stores, GraphQL on the services, and HTTP on top. The server does not listen yet. */
export async function createApp(config: Config, parts: Parts) {
  const { log, database, storage, replicas, mirror, traced, isStopping } = parts;
  const trusted = readTrusted(config);
  const { isUnavailable, connections } = database;
  const primary = createEventLog(storage.events);
  const streams = new FeedStreams(config.feedStreams, new FeedEndWatcher(primary));
  const metrics = createMetrics({
    connections,
    isDatabaseUnavailable: isUnavailable,
    replicas: replicas.count,
    mirror: mirror.read,
    feed: streams.readState,
  });
  const chooseLog = chooseAmongReplicas(primary, database.read, replicas, metrics.countChoice);
  const inTurn = createFairQueue(toQueueLimits(countQueries(database, config)));
  const budgets = createCostBudgets(storage.createLimiter, config.costPerMinute);
  const chargeReads = createWorkCharge(budgets.spend, config.graphqlLimits.isEnforced, maxCostOfRows(config.costPerMinute));
  const services = createServices(config, storage, { primary, streams, chooseLog, chargeReads, inTurn });
  const chargeBefore = (context: RequestContext, cost: number) => chargeReads(context, cost, 'before');
  const readVersion: ReadLogVersion = async (context) => {
    await chargeBefore(context, COST_OF_VERSION);
    return services.events.readVersion(context);
  };
  const executor = await startExecutor(createGatewaySchema(services), {
    log,
    toGatewayError,
    readVersion,
    limits: config.graphqlLimits,
    largestPage: MAX_LIMIT,
    spend: budgets.spend,
    ownDocuments: [...REST_DOCUMENTS, ...MCP_DOCUMENTS],
    ...createExecution(config, services.events, chargeReads),
    introspection: config.introspection,
  });

  const authenticate = createAuthenticate(storage.callers);
  const app = await createServer({
    log,
    authenticate: limitFailedLogins(authenticate, storage.createLimiter, config.failedLoginsPerMinute, log),
    toGatewayError,
    sessionCookie: config.unleash && SESSION_COOKIE,
    findOutage: () => (isUnavailable() ? databaseUnavailable() : null),
    isStopping,
    observe: metrics.observe,
    traced,
    http: config.http,
    websocketPath: GRAPHQL_PATH,
  });
  app.addHook('preClose', async () => streams.stop());
  reportOldCopy(app, () => findOldCopy(mirror.read()));
  registerMetrics(app, metrics);
  registerHealth(
    app,
    () => findUnready(database, isStopping()),
    () => describeMirror(mirror.read()),
  );
  registerGraphqlEndpoint(app, config, { executor, budgets, trusted, observe: metrics.observe });
  await registerRest(app, executor.documents, readVersion, streams);
  registerMcp(app, executor.documents, {
    toGatewayError,
    corsOrigins: config.http.corsOrigins,
    charge: (context) => chargeBefore(context, LEAST_COST),
    chargeRejected: (context) => chargeRejected(budgets.spend, context),
  });
  await registerPages(app, config);
  return { app, executor, countEvents: services.events.countEvents };
}

function readTrusted({ console, trustedDocuments: { mode, files } }: Config) {
  return { mode, documents: readTrustedDocuments(files), own: console ? CONSOLE_DOCUMENTS : NO_DOCUMENTS };
}

async function registerPages(app: FastifyInstance, { graphiql, console, unleash }: Config): Promise<void> {
  if (graphiql) await registerGraphiql(app, !console);
  if (console) await registerConsole(app, { hasIde: graphiql, acceptsSessions: unleash !== null });
}

/**
 * Creates the options of execution that depend on the event log. An Unleash database has no cache of responses: the version of an
 * Unleash log misses some changes for up to an hour (log-version/epoch.store.ts), so a cached response could be outdated.
 */
function createExecution({ databaseSchema }: Config, { readVersion }: EventService, chargeReads: ChargeReads): ExecutionOptions {
  const charge = (context: RequestContext, cost: number) => chargeReads(context, cost, 'before');
  const memo = databaseSchema === 'own' ? createResponseMemo({ readVersion, charge }) : null;
  return { memo, onWritten: releaseEvents };
}

/** The shared dependencies of the services that read the log. */
interface ReadDependencies extends EventLogs {
  readonly streams: FeedStreams;
  readonly chargeReads: ChargeReads;
  readonly inTurn: InTurn;
}

function createServices(
  config: Config,
  storage: Storage,
  { primary, streams, chooseLog, chargeReads, inTurn }: ReadDependencies,
): Services {
  return {
    events: createEventService({ primary, chooseLog }, chargeReads, inTurn),
    eventCounts: createEventCountsService(chooseLog, chargeReads, inTurn),
    eventFeed: createEventFeedService(primary, streams, chargeReads, inTurn),
    signupTokens: createSignupTokenService(storage.signupTokens, inTurn, config.signupBaseUrl, config.signupMaxDays),
  };
}

/** Returns how many queries the primary and the replicas run at once. Each replica has its own connections. */
function countQueries({ kind }: Database, { poolSize, replicaUrls }: Config): number {
  return kind === 'embedded' ? EMBEDDED_QUERIES : poolSize * (1 + replicaUrls.length);
}
