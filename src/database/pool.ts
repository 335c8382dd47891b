import pg from 'pg';
import { type ClientOptions, CONNECT_TIMEOUT_MS, destroySocket, GatewayClient } from './client.js';

/** How long a statement waits for a lock, such as a migration's. Without this limit, it would time out as a slow query. */
const LOCK_TIMEOUT_MS = 1_500;

/** How many queries may wait, per connection of the pool. Further queries fail at once instead of after a timeout. */
const WAITING_PER_CONNECTION = 50;

/** The code of the error for a query that does not fit into the queue. */
export const QUEUE_FULL = 'POOL_QUEUE_FULL';

/** How long a query waits for a response after the statement timeout. A host that has vanished never responds. */
const SILENCE_MS = 2_000;

/**
 * How long a query of the embedded database may wait for queries of other clients, because the engine runs one query at a time. A
 * request also waits for up to this long for a connection of the pool.
 */
const EMBEDDED_WAIT_MS = 30_000;

/**
 * How long an unused connection stays open. A dashboard that polls every half a minute then finds the connection again, with the
 * plans of its statements. Firewalls drop connections that are silent for several minutes.
 */
const IDLE_MS = 60_000;

export interface PoolOptions {
  /** The time after which PostgreSQL cancels a statement; 0, the default, for no limit. */
  readonly statementTimeoutMs?: number;
  /** The most connections to PostgreSQL, which requests share; 10 by default. */
  readonly poolSize?: number;
}

/** Sessions are in UTC, because Prisma's driver adapter drops the zone of timestamps. formats/stored-time.ts parses ISO times. */
const SESSION = `SET TIME ZONE 'UTC'; SET datestyle = 'ISO'`;

/** Direct connections disable JIT, which takes longer than the queries. Behind a pooler, that could affect other programs. */
const DIRECT_SESSION = `${SESSION}; SET jit = off`;

async function prepareSession(client: pg.ClientBase, settings: string): Promise<void> {
  await client.query(settings);
}

/** @param isDirect whether connections lead to PostgreSQL itself. A pooler rejects timeouts in the startup message. */
export function toPoolConfig({ statementTimeoutMs = 0, poolSize = 10 }: PoolOptions, isDirect = true): ClientOptions {
  return {
    max: poolSize,
    ...(isDirect && { onConnect: (client) => prepareSession(client, DIRECT_SESSION) }),
    ...(statementTimeoutMs > 0 && {
      ...(isDirect && { statement_timeout: statementTimeoutMs, lock_timeout: LOCK_TIMEOUT_MS }),
      queryTimeoutMs: statementTimeoutMs + SILENCE_MS,
    }),
  };
}

export function toEmbeddedPoolConfig(options: PoolOptions): ClientOptions {
  const config = toPoolConfig(options);
  return {
    ...config,
    connectionTimeoutMillis: EMBEDDED_WAIT_MS,
    ...(config.queryTimeoutMs && { queryTimeoutMs: config.queryTimeoutMs + EMBEDDED_WAIT_MS }),
  };
}

/** A pool with a bounded queue and connections that can be abandoned. */
export interface Pool extends pg.Pool {
  /** When a connection was last released without an error, as `performance.now()`. */
  readonly respondedAt: number;
  /** Closes all connections, so that queries waiting for a response fail. */
  abandon(): void;
}

export function createPool(server: pg.ClientConfig, options: ClientOptions = {}): Pool {
  const pool = new BoundedPool({
    ...server,
    Client: GatewayClient,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    onConnect: (client) => prepareSession(client, SESSION),
    ...options,
  });
  // The next request replaces an idle connection that is lost. Without a listener, the loss would end the process.
  pool.on('error', () => undefined);
  return pool;
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

class BoundedPool extends pg.Pool implements Pool {
  readonly #connections = new Set<pg.PoolClient>();
  respondedAt = Number.NEGATIVE_INFINITY;

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('connect', (client) => this.#connections.add(client));
    this.on('release', (error) => {
      if (!error) this.respondedAt = performance.now();
    });
    this.on('remove', (client) => this.#connections.delete(client));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (this.waitingCount < this.options.max * WAITING_PER_CONNECTION) {
      return callback ? void super.connect(callback as never) : super.connect();
    }
    const error = Object.assign(new Error('Too many queries wait for a connection.'), { code: QUEUE_FULL });
    if (!callback) return Promise.reject(error);
    callback(error, undefined, () => undefined);
  }

  abandon(): void {
    for (const client of this.#connections) destroySocket(client);
  }
}
