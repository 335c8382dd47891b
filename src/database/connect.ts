import type pg from 'pg';
import { createClient } from './client.js';
import { toConnectError } from './connect-error.js';
import { openEmbedded } from './embedded/embedded.js';
import { type Heartbeat, type HeartbeatConnection, startHeartbeat } from './heartbeat.js';
import { createPool, type Pool, type PoolOptions, toEmbeddedPoolConfig, toPoolConfig } from './pool.js';
import { inspectServer } from './server.js';

export interface DatabaseOptions extends PoolOptions {
  /** Whether a heartbeat checks that PostgreSQL is available; false by default. The embedded database never has a heartbeat. */
  readonly watched?: boolean;
}

/** The connections and locks of an open database. PostgreSQL and the embedded database implement them differently. */
export interface Connected {
  readonly kind: 'PostgreSQL' | 'embedded';
  readonly pool: Pool;
  readonly schema: string;
  /** Whether prepared statements stay usable on a connection. False behind a pooler and for the embedded database. */
  readonly prepares: boolean;
  readonly heartbeat: Heartbeat | null;
  /** Runs `work` on a new connection that bypasses a pooler. Statements on it have no time limit, even if the role has one. */
  onDirect<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Takes an advisory lock. @returns a function that releases the lock; null if it is already taken */
  tryLock(client: pg.Client, lock: number): Promise<Release | null>;
  /** Waits for an advisory lock. @returns a function that releases the lock */
  lock(client: pg.Client, lock: number): Promise<Release>;
  close(): Promise<void>;
}

type Release = () => Promise<void>;

export async function connectToPostgres(
  { url, directUrl = url }: { readonly url: string; readonly directUrl?: string | undefined },
  { watched = false, ...options }: DatabaseOptions,
): Promise<Connected> {
  const pool = createPool({ connectionString: url }, toPoolConfig(options, directUrl === url));
  const onDirect: Connected['onDirect'] = (work) =>
    withConnection({ connectionString: directUrl }, work, (cause) =>
      toConnectError(cause, directUrl, directUrl === url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'),
    );
  const { schema } = await inspectServer(pool, url)
    .then(async (server) => {
      // Tests the direct URL now. With a wrong URL, the heartbeat would otherwise report the database as unavailable.
      if (directUrl !== url) await onDirect(async () => undefined);
      return server;
    })
    .catch(async (error: unknown) => {
      await pool.end();
      throw error;
    });
  // PostgreSQL releases the lock at the end of the connection.
  const release = async () => undefined;
  return {
    kind: 'PostgreSQL',
    pool,
    schema,
    prepares: directUrl === url,
    // Pings bypass the pooler, where they would wait for slow queries.
    heartbeat: watched ? startHeartbeat(() => connectForPings(directUrl), pool) : null,
    onDirect,
    async tryLock(client, lock) {
      // Does not wait: a session that waits for a lock holds a snapshot, and CREATE INDEX CONCURRENTLY waits for older snapshots.
      const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lock]);
      return rows[0]?.taken ? release : null;
    },
    async lock(client, lock) {
      await client.query('SELECT pg_advisory_lock($1)', [lock]);
      return release;
    },
    close: async () => undefined,
  };
}

export async function connectToEmbedded(dataDir: string, options: DatabaseOptions): Promise<Connected> {
  const embedded = await openEmbedded(dataDir);
  return {
    kind: 'embedded',
    pool: createPool(embedded.client, toEmbeddedPoolConfig(options)),
    schema: 'public',
    prepares: false,
    // The engine runs one query at a time, so pings would wait for slow queries.
    heartbeat: null,
    onDirect: (work) => withConnection(embedded.client, work, (cause) => cause),
    tryLock: (_, lock) => embedded.tryLock(lock),
    lock: (_, lock) => embedded.lock(lock),
    close: () => embedded.close(),
  };
}

async function withConnection<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
  toError: (cause: unknown) => unknown,
): Promise<T> {
  const client = createClient(config);
  try {
    await client.connect().catch((cause: unknown) => Promise.reject(toError(cause)));
    await client.query(`SET statement_timeout = 0; SET lock_timeout = 0; SET TIME ZONE 'UTC'`);
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connectForPings(connectionString: string): Promise<HeartbeatConnection> {
  const client = createClient({ connectionString });
  await client.connect();
  return { ping: () => client.query('SELECT 1'), end: () => client.end() };
}
