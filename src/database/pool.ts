import pg from 'pg';

/** How long a request waits for a connection before the database counts as away. */
const CONNECT_TIMEOUT_MS = 2_000;

/** How many queries may wait for a connection, per connection: a flood is refused at once instead of after a time. */
const WAITING_PER_CONNECTION = 50;

/** How much longer than a statement may take its answer is waited for: a host that has vanished says nothing. */
const SILENCE_MS = 2_000;

export interface PoolOptions {
  /** After how long PostgreSQL ends a statement; 0 for never. The embedded database cannot. */
  readonly statementTimeoutMs?: number;
  /** How many connections to PostgreSQL requests share. */
  readonly poolSize?: number;
}

/** @param isDirect whether the server itself is connected to: a pooler takes no settings for a connection */
export function toPoolConfig({ statementTimeoutMs = 0, poolSize = 10 }: PoolOptions, isDirect = true): pg.PoolConfig {
  return {
    max: poolSize,
    ...(statementTimeoutMs > 0 && {
      ...(isDirect && { statement_timeout: statementTimeoutMs }),
      query_timeout: statementTimeoutMs + SILENCE_MS,
    }),
  };
}

/** A pool whose queue has an end, and whose connections can be given up. */
export interface Pool extends pg.Pool {
  /** When a connection was last given back in order. */
  readonly respondedAt: number;
  /** Ends all connections as they are: whoever waits for an answer on one gets an error. */
  abandon(): void;
}

export function createClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true });
  // What runs on it fails; without a listener the process would, too.
  client.on('error', () => undefined);
  return client;
}

export function createPool(url: string, options: pg.PoolConfig = {}): Pool {
  const pool = new BoundedPool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // The driver adapter writes and reads timestamps without a zone.
    onConnect: async (client) => {
      await client.query(`SET TIME ZONE 'UTC'`);
    },
    ...options,
  });
  // A connection lost while idle is replaced by the next request; without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

class BoundedPool extends pg.Pool implements Pool {
  readonly #connections = new Set<pg.PoolClient>();
  respondedAt = Number.NEGATIVE_INFINITY;

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('connect', (client) => {
      this.#connections.add(client);
      // What runs on it fails; while it is lent out nobody else listens, and the process would end.
      client.on('error', () => undefined);
    });
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
    const error = new Error('Too many queries wait for a connection (timeout exceeded when trying to connect)');
    if (!callback) return Promise.reject(error);
    callback(error, undefined, () => undefined);
  }

  abandon(): void {
    for (const client of this.#connections)
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}
