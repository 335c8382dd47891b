import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { createAuthenticate } from './auth/authenticate.js';
import { SESSION_COOKIE } from './auth/unleash-users.js';
import type { Config } from './config.js';
import { databaseUnavailable, toDatabaseError } from './database/database-errors.js';
import { type Database, openDatabase } from './database/open.js';
import { isDatabaseReady } from './database/probes.js';
import { traceDatabase } from './database/query-spans.js';
import { openReplicas, type Replicas } from './database/replicas.js';
import { chooseAmongReplicas } from './events/choose-replica.js';
import { createEventService } from './events/event.service.js';
import { createEventLog } from './events/event-log.js';
import { createGatewaySchema } from './gateway-schema.js';
import { COMPILING, type Compiling } from './graphql/compiled-queries.js';
import { chargeRejected, createWorkCharge } from './graphql/cost-limit.js';
import { startExecutor } from './graphql/executor.js';
import { registerGraphql } from './graphql/route.js';
import { readTrustedDocuments, resolveDocument } from './graphql/trusted-documents.js';
import { reportOldCopy } from './http/copy-age.js';
import { shutDownGracefully } from './http/graceful-shutdown.js';
import { IDE_PAGE, registerGraphiql } from './http/graphiql.js';
import { registerHealth, registerMetrics } from './http/health.js';
import { ListenError } from './http/listen-error.js';
import { createServer } from './http/server.js';
import { createCostBudgets } from './limits/cost-budgets.js';
import { limitFailedLogins } from './limits/failed-logins.js';
import { createFairQueue, toQueueLimits } from './limits/fair-queue.js';
import { describeMirror, findOldCopy, type MirrorWatch } from './log-copy/mirror-age.js';
import { registerRest } from './rest/routes.js';
import { createSignupTokenService } from './signup-tokens/signup-token.service.js';
import { prepareStorage, type Storage } from './storage.js';
import { describeError, flush } from './telemetry/log.js';
import { createMetrics } from './telemetry/metrics.js';
import { startTracing } from './telemetry/tracing.js';

export interface Gateway {
  /** The URL it listens on, without a slash at the end. */
  readonly url: string;
  /** The secret of the ADMIN token that was created because there was none; otherwise null. It cannot be read again. */
  readonly firstAdminToken: string | null;
  /** The open database, for code in the same process. */
  readonly database: Database;
  /** Counts the events of the log. */
  countEvents(signal: AbortSignal): Promise<number>;
  /** Finishes the requests in flight, then closes the server and the database. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** The destination of the log, instead of standard output. */
  readonly logDestination?: DestinationStream;
  /** When a document is compiled. */
  readonly compiling?: Compiling;
  /** Runs on the migrated database, before the gateway listens. */
  readonly prepare?: (database: Database) => Promise<void>;
}

/** Starts the whole gateway. This is the composition root of `serve` and of the tests. */
export async function startGateway(
  config: Config,
  { logDestination, compiling = COMPILING, prepare = async () => undefined }: GatewayOptions = {},
): Promise<Gateway> {
  const standardOutput = logDestination ? undefined : pino.destination(1);
  const log = pino({ level: config.logLevel, serializers: { err: describeError } }, logDestination ?? standardOutput);
  const traced = config.tracesEndpoint !== null;
  const closers = [await startTracing(config.tracesEndpoint)];
  let isStopping = false;
  // Every part is closed, even if another part fails to close.
  const stop = async () => {
    const failures: unknown[] = [];
    for (let close = closers.pop(); close; close = closers.pop()) await close().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const opened = await openDatabase(config.database, { ...config, watched: true });
    closers.push(() => opened.close());
    const database = traced ? await traceDatabase(opened) : opened;
    const storage = await prepareStorage(database, config, log);
    await prepare(database);
    const replicas = await openReplicas(config.replicaUrls, database.read, { ...config, traced });
    closers.push(() => replicas.close());
    const mirror = await storage.watchMirror();
    closers.push(mirror.stop);
    const parts = { log, database, storage, replicas, mirror, compiling, traced, isStopping: () => isStopping };
    const { app, executor, countEvents } = await createApp(config, parts);
    closers.push(() => executor.apollo.stop());
    const abandon = () => {
      database.abandon();
      replicas.abandon();
    };
    closers.push(() => shutDownGracefully(app, abandon));
    const url = await listen(app, config);
    // The text that the caller prints comes after the addresses that Fastify has logged.
    flush(standardOutput);

    closers.push(storage.startBuildingIndexes());
    // Created last: if the start failed after it, nobody would ever see the secret.
    const firstAdminToken = await storage.createFirstToken();
    let stopping: Promise<void> | null = null;
    const stopLater = async () => {
      isStopping = true;
      await setTimeout(config.stopDelayMs);
      await stop();
    };
    return { url, firstAdminToken, database, countEvents, stop: () => (stopping ??= stopLater()) };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** The open parts that the server is built from. */
interface Parts {
  readonly log: Logger;
  readonly database: Database;
  readonly storage: Storage;
  readonly replicas: Replicas;
  readonly mirror: MirrorWatch;
  readonly compiling: Compiling;
  readonly traced: boolean;
  readonly isStopping: () => boolean;
}

/** How many searches a budget suffices for, however large the log is. */
const SEARCHES_PER_MINUTE = 4;

/** Builds the services on their stores, GraphQL on the services, and HTTP on top. The server does not listen yet. */
async function createApp(config: Config, parts: Parts) {
  const { log, database, storage, replicas, mirror, compiling, traced, isStopping } = parts;
  const trusted = { mode: config.trustedDocuments.mode, documents: readTrustedDocuments(config.trustedDocuments.files) };
  const { isUnavailable, connections } = database;
  const metrics = createMetrics({
    connections,
    isDatabaseUnavailable: isUnavailable,
    replicas: replicas.count,
    mirror: mirror.read,
  });
  const chooseLog = chooseAmongReplicas(createEventLog(storage.events), database.read, replicas, metrics.countChoice);
  const signupTokens = createSignupTokenService(storage.signupTokens, config.signupBaseUrl, config.signupMaxDays);
  const budgets = createCostBudgets(storage.createLimiter, config.costPerMinute);
  const chargeReads = createWorkCharge(
    budgets.spend,
    config.graphqlLimits.isEnforced,
    config.costPerMinute / SEARCHES_PER_MINUTE,
  );
  const events = createEventService(
    chooseLog,
    chargeReads,
    createFairQueue(toQueueLimits(database.kind === 'embedded' ? 2 : config.poolSize)),
  );
  const executor = await startExecutor(createGatewaySchema(events, signupTokens), {
    log,
    toGatewayError: toDatabaseError,
    readVersion: events.readVersion,
    limits: config.graphqlLimits,
    spend: budgets.spend,
    introspection: config.introspection,
    compiling: config.compileQueries ? compiling : null,
  });

  const authenticate = createAuthenticate(storage.callers);
  const app = await createServer({
    log,
    authenticate: limitFailedLogins(authenticate, storage.createLimiter, config.failedLoginsPerMinute, log),
    toGatewayError: toDatabaseError,
    sessionCookie: config.unleash && SESSION_COOKIE,
    findOutage: () => (isUnavailable() ? databaseUnavailable() : null),
    isStopping,
    observe: metrics.observe,
    traced,
    http: config.http,
  });
  reportOldCopy(app, () => findOldCopy(mirror.read()));
  registerMetrics(app, metrics);
  const findUnready = async () => {
    if (isStopping()) return 'The gateway is about to stop.';
    return (await isReady(database)) ? null : 'The database is unavailable.';
  };
  registerHealth(app, findUnready, () => describeMirror(mirror.read()));
  registerGraphql(app, executor.apollo, {
    toContext: async ({ context }) => context,
    findDocument: (parameters, requestLog) => resolveDocument(trusted, parameters, requestLog),
    chargeRejected: ({ context }) => chargeRejected(budgets.spend, context),
    browserPage: config.graphiql ? IDE_PAGE : null,
    findSpent: ({ context }) => (config.graphqlLimits.isEnforced ? budgets.findSpent(context.caller.id) : null),
  });
  await registerRest(app, executor.execute, events.readVersion);
  if (config.graphiql) await registerGraphiql(app);
  return { app, executor, countEvents: events.countEvents };
}

/** A gateway whose connections are all busy is ready: it serves the requests that hold them, and another gateway would not be faster. */
async function isReady({ isUnavailable, connections, prisma }: Database): Promise<boolean> {
  if (isUnavailable()) return false;
  return (await isDatabaseReady(prisma)) || (!isUnavailable() && connections().busy > 0);
}

/** @throws ListenError if the address is in use, or does not belong to this machine */
function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config;
  return app
    .listen({ host, port, listenTextResolver: (address) => `listening at ${address}` })
    .catch((cause: NodeJS.ErrnoException) => {
      throw new ListenError(cause, config);
    });
}
