import { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { makeFolder, rejectWithoutVersion, toDataDirError } from './data-dir.js';
import { type DatabaseServer, serveDatabase } from './database-server.js';
import { startEngine } from './engine.js';
import { listenExclusively } from './listen-exclusively.js';

/** The time between two attempts to take a lock that another process holds. */
const LOCK_RETRY_MS = 100;

export interface EmbeddedDatabase {
  /** The configuration of a `pg` client that connects to the database. */
  readonly client: pg.ClientConfig;
  /**
   * Takes an advisory lock. The lock is a socket (listen-exclusively.ts): all clients share one session of PostgreSQL, so
   * PostgreSQL's own advisory locks would exclude nobody.
   * @returns a function that releases the lock; null if it is already taken
   */
  tryLock(lock: number): Promise<(() => Promise<void>) | null>;
  /** Waits for an advisory lock. @returns a function that releases the lock */
  lock(lock: number): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/**
 * Opens the embedded PostgreSQL (PGlite) in `dataDir`, and creates it if it does not exist. The first process that opens a folder
 * serves the database to others. If that process ends, the next process that connects takes over.
 * @throws DataDirError if the folder cannot be used
 */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const pgdata = path.join(dataDir, 'pgdata');
  let server: DatabaseServer | null = null;
  const start = async () => {
    await rejectWithoutVersion(dataDir, pgdata);
    return startEngine({ dataDir: pgdata });
  };
  let starting: Promise<DatabaseServer> | null = null;

  /** Ensures that a process serves the database. @returns the path of its socket */
  const findServer = async (): Promise<string> => {
    if (server?.close) return server.address;
    starting ??= serveDatabase(dataDir, start)
      .then((found) => {
        server = found;
        return found;
      })
      .finally(() => {
        starting = null;
      });
    return (await starting).address;
  };

  const tryLock = async (lock: number) => {
    const { close } = await listenExclusively(dataDir, `lock-${lock}.sock`, (socket) => socket.destroy());
    return close && (async () => close());
  };

  try {
    await makeFolder(dataDir);
    await findServer();
  } catch (error) {
    throw await toDataDirError(error, dataDir, pgdata);
  }
  return {
    client: {
      host: path.resolve(dataDir),
      user: 'postgres',
      database: 'postgres',
      ssl: false,
      stream: () => new EmbeddedSocket(findServer),
    },
    tryLock,
    async lock(lock) {
      for (;;) {
        const taken = await tryLock(lock);
        if (taken !== null) return taken;
        await wait(LOCK_RETRY_MS);
      }
    },
    async close() {
      await starting?.catch(() => undefined);
      await server?.close?.();
    },
  };
}

/** A connection to the process that serves the database. It ignores the address that the client passes. */
class EmbeddedSocket extends Socket {
  constructor(readonly findServer: () => Promise<string>) {
    super();
  }

  override connect(): this {
    this.findServer().then(
      // `pg` may have destroyed the socket meanwhile, after its connect timeout.
      (address) => this.destroyed || super.connect(address),
      (error: Error) => this.destroy(error),
    );
    return this;
  }
}
