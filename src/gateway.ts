import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { createApp } from './app.js';
import type { Config } from './config.js';
import { type Database, openDatabase } from './database/open.js';
import { traceDatabase } from './database/query-spans.js';
import { openReplicas } from './database/replicas.js';
import { shutDownGracefully } from './http/graceful-shutdown.js';
import { ListenError } from './http/listen-error.js';
import { prepareStorage } from './storage.js';
import { describeError, flush } from './telemetry/log.js';
import { startTracing } from './telemetry/tracing.js';

export interface Gateway {
  /** The URL that the gateway listens on, without a slash at the end. */
  readonly url: string;
  /** The secret of the ADMIN token that was created because there was no token; otherwise null. It cannot be read again. */
  readonly firstAdminToken: string | null;
  /** The open database, for code in the same process. */
  readonly database: Database;
  countEvents(signal: AbortSignal): Promise<number>;
  /** Finishes the requests in flight, then closes the server and the database. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** The destination of the log, instead of standard output. */
  readonly logDestination?: DestinationStream;
  /** The time between two reads of the age of a mirrored log. The default is 5 seconds. */
  readonly readMirrorEveryMs?: number;
  /** Runs on the migrated database, before the gateway listens. */
  readonly prepare?: (database: Database) => Promise<void>;
}

/** Buffers log lines: single writes take about 4 % of the CPU time of small requests. SIGKILL loses the lines of up to 100 ms. */
const LOG_OUTPUT = { dest: 1, minLength: 4096, periodicFlush: 100 };

/** Starts the whole gateway. This is the composition root of `serve` and of the tests. */
export async function startGateway(
  config: Config,
  { logDestination, readMirrorEveryMs, prepare = async () => undefined }: GatewayOptions = {},
): Promise<Gateway> {
  const standardOutput = logDestination ? undefined : pino.destination(LOG_OUTPUT);
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
    const mirror = await storage.watchMirror(readMirrorEveryMs);
    closers.push(mirror.stop);
    const parts = { log, database, storage, replicas, mirror, traced, isStopping: () => isStopping };
    const { app, executor, countEvents } = await createApp(config, parts);
    closers.push(() => executor.apollo.stop());
    const abandon = () => {
      database.abandon();
      replicas.abandon();
    };
    closers.push(() => shutDownGracefully(app, abandon));
    const url = await listen(app, config);
    // Fastify has logged its addresses. The flush writes them now, so that they appear above the text that the caller prints.
    flush(standardOutput);

    closers.push(storage.startBuildingIndexes());
    // The token is created last: if the start failed after its creation, nobody would ever see its secret.
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

/** @throws ListenError if the address is in use, or does not belong to this machine */
function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config;
  return app
    .listen({ host, port, listenTextResolver: (address) => `listening at ${address}` })
    .catch((cause: NodeJS.ErrnoException) => {
      throw new ListenError(cause, config);
    });
}
