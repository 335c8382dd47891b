import { pipeline } from 'node:stream/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { PrismaClient } from '../generated/prisma/client.js';
import { toConnectError } from './connect-error.js';
import { openEmbedded } from './embedded/embedded.js';
import { type Heartbeat, type HeartbeatConnection, startHeartbeat } from './heartbeat.js';
import { createClient, createPool, type Pool, type PoolOptions, toPoolConfig } from './pool.js';
import { createRead, type Query, type Read } from './read.js';
import { inspectServer } from './server.js';

/**
 * A PostgreSQL server, or the folder of the embedded database. If `url` leads to a pooler in transaction mode, `directUrl` leads
 * to PostgreSQL itself.
 */
export type DatabaseLocation = { readonly url: string; readonly directUrl?: string | undefined } | { readonly dataDir: string };

/** Runs statements on one connection, within one transaction. */
export interface Transaction {
  query<Row extends object>(query: Query): Promise<Row[]>;
  /** Runs `COPY … FROM` with `text` as its input, in PostgreSQL's text format. */
  copy(target: string, text: string): Promise<void>;
}

/** Runs one statement, or several as one transaction. */
export type Execute = (sql: string) => Promise<unknown>;

/** A database to read and write: PostgreSQL and the embedded database have the same interface. */
export interface Database {
  readonly kind: 'PostgreSQL' | 'embedded';
  readonly prisma: PrismaClient;
  /** Reads through the driver, on the connections that Prisma uses: for the few queries that each request runs. */
  readonly read: Read;
  /** Commits everything that `work` did, or nothing if it throws. For bulk writes. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` under an advisory lock, outside of a transaction and without a time limit. Does nothing while another process
   * holds the lock. @returns whether `work` ran
   */
  withTryLock(lock: number, work: (execute: Execute) => Promise<void>): Promise<boolean>;
  /** Waits for an advisory lock, then runs `work`, whose statements and reads use the connection that holds the lock. */
  withLock<T>(lock: number, work: (execute: Execute, read: Read) => Promise<T>): Promise<T>;
  /** Counts the connections that requests share, and the requests that wait for one. */
  connections(): { readonly busy: number; readonly idle: number; readonly waiting: number };
  /** Whether the heartbeat finds the database unavailable; false without a heartbeat. */
  isUnavailable(): boolean;
  /** Closes the connections, so that running queries fail. */
  abandon(): void;
  close(): Promise<void>;
}

export interface DatabaseOptions extends PoolOptions {
  /** Whether a heartbeat watches if PostgreSQL is available. */
  readonly watched?: boolean;
}

/** Opens PostgreSQL for a `url`, the embedded database for a `dataDir`. This file alone constructs a PrismaClient. */
export async function openDatabase(location: DatabaseLocation, options: DatabaseOptions = {}): Promise<Database> {
  const connected =
    'url' in location ? await connectToPostgres(location, options) : await connectToEmbedded(location.dataDir, options);
  const { kind, pool, schema, prepares, heartbeat, onDirect, close } = connected;
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema }) });
  return {
    kind,
    prisma,
    read: createRead(pool, prepares),
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const result = await work({
          query: async <Row extends object>({ text, values }: Query) => (await client.query<Row>(text, [...values])).rows,
          copy: (target, text) => pipeline([text], client.query(copyFrom(`COPY ${target} FROM STDIN`))),
        });
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        // Closing the connection rolls the transaction back.
        client.release(true);
        throw error;
      }
    },
    withTryLock: (lock, work) =>
      onDirect(async (client) => {
        const release = await connected.tryLock(client, lock);
        if (release === null) return false;
        await work((sql) => client.query(sql)).finally(release);
        return true;
      }),
    withLock: (lock, work) =>
      onDirect(async (client) => {
        const release = await connected.lock(client, lock);
        const read: Read = async ({ text, values }) => (await client.query(text, [...values])).rows;
        return work((sql) => client.query(sql), read).finally(release);
      }),
    isUnavailable: () => heartbeat?.isUnavailable() ?? false,
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    abandon: () => pool.abandon(),
    async close() {
      await heartbeat?.stop();
      await prisma.$disconnect();
      await pool.end();
      await close();
    },
  };
}

/** What differs between PostgreSQL and the embedded database. */
interface Connected {
  readonly kind: Database['kind'];
  readonly pool: Pool;
  readonly schema: string;
  /** Whether statements can be prepared for the next use of a connection. */
  readonly prepares: boolean;
  readonly heartbeat: Heartbeat | null;
  /** Runs `work` on a connection of its own. Its statements have no time limit, even if the role has one. */
  onDirect<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Takes an advisory lock. @returns a function that releases it; null if another session holds it */
  tryLock(client: pg.Client, lock: number): Promise<Release | null>;
  /** Waits for an advisory lock. @returns a function that releases it */
  lock(client: pg.Client, lock: number): Promise<Release>;
  close(): Promise<void>;
}

type Release = () => Promise<void>;

async function connectToPostgres(
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
      // A wrong direct URL would show only later: the heartbeat would report the database as unavailable.
      if (directUrl !== url) await onDirect(async () => undefined);
      return server;
    })
    .catch(async (error: unknown) => {
      await pool.end();
      throw error;
    });
  // The end of the connection releases the lock.
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
      // A session that waits for a lock holds a snapshot, and CREATE INDEX CONCURRENTLY waits for every older snapshot.
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

async function connectToEmbedded(dataDir: string, options: DatabaseOptions): Promise<Connected> {
  const embedded = await openEmbedded(dataDir);
  return {
    kind: 'embedded',
    pool: createPool(embedded.client, toPoolConfig(options)),
    schema: 'public',
    prepares: false,
    // Pings would wait for slow queries.
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
    await client.query(`SET statement_timeout = 0; SET TIME ZONE 'UTC'`);
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
