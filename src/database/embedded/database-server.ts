import { ClientSession, type Sessions } from './client-session.js';
import type { Engine } from './engine.js';
import { EngineQueue } from './engine-queue.js';
import { listenExclusively } from './listen-exclusively.js';

export interface DatabaseServer {
  /** The path of the socket. */
  readonly address: string;
  /**
   * Lets the running statement end, and disconnects all clients, so that another process can open the database. Null if another
   * process serves the database.
   */
  readonly close: (() => Promise<void>) | null;
}

/** The name of the socket. listen-exclusively.ts appends a number. */
const SOCKET_NAME = 'database.sock';

/**
 * Serves the embedded database on a Unix socket, to this process and to others, as PostgreSQL does. If another process serves the
 * database already, only returns its address (docs/decisions/028-embedded-database-in-a-thread.md).
 * @param startEngine is called at the start, and again after a stopped statement or a failure
 */
export async function serveDatabase(dataDir: string, startEngine: () => Promise<Engine>): Promise<DatabaseServer> {
  const queue = new EngineQueue(startEngine);
  const sessions: Sessions = new Map();
  const { address, close: stopListening } = await listenExclusively(
    dataDir,
    SOCKET_NAME,
    (socket) => void new ClientSession(socket, queue, sessions),
  );
  if (stopListening === null) return { address, close: null };
  const close = async () => {
    await queue.close();
    stopListening();
    for (const { socket } of sessions.values()) socket.destroy();
  };
  try {
    await queue.ready();
    return { address, close };
  } catch (error) {
    await close();
    throw (error as Error).cause ?? error;
  }
}
