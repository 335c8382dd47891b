import { pipeline } from 'node:stream/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { from as copyFrom } from 'pg-copy-streams';
import { PrismaClient } from '../generated/prisma/client.js';
import { connectToEmbedded, connectToPostgres, type DatabaseOptions } from './connect.js';
import { createRead, type Query, type Read } from './read.js';

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
  /**
   * Reads through the driver instead of Prisma, on the same connections. Serves frequent queries, and queries that Prisma cannot
   * express.
   */
  readonly read: Read;
  /** Commits everything that `work` did, or nothing if it throws. Imports use this for their bulk writes. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` under an advisory lock, outside of a transaction and without a time limit. Does nothing while another process
   * holds the lock. @returns whether `work` ran
   */
  withTryLock(lock: number, work: (execute: Execute) => Promise<void>): Promise<boolean>;
  /** Waits for an advisory lock, then runs `work`. Its `execute` and `read` use the connection that holds the lock. */
  withLock<T>(lock: number, work: (execute: Execute, read: Read) => Promise<T>): Promise<T>;
  /** Counts the connections that requests share, and the requests that wait for one. */
  connections(): { readonly busy: number; readonly idle: number; readonly waiting: number };
  /** Whether the heartbeat finds the database unavailable; false without a heartbeat. */
  isUnavailable(): boolean;
  /** Closes the connections, so that running queries fail. */
  abandon(): void;
  close(): Promise<void>;
}

/** Opens PostgreSQL for a `url`, or the embedded database for a `dataDir`. Only this file constructs a PrismaClient. */
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
