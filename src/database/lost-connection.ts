import { setTimeout as wait } from 'node:timers/promises';
import { ConnectError } from './connect-error.js';
import { codeOf, isUnreachable, isUnwritable } from './error-causes.js';
import type { Database } from './open.js';

/** The SQLSTATEs of a connection whose database was dropped, and of a new connection to a missing database. */
const NO_DATABASE: ReadonlySet<string> = new Set(['57P04', '3D000']);
/** The code of the operating system for a missing Unix socket, such as that of a stopped server. */
const NO_SOCKET = 'ENOENT';

/**
 * Whether the connection was lost or could not be opened, so that the same work may succeed later. A missing database does not
 * count.
 */
export function isConnectionLost(error: unknown): boolean {
  const cause = error instanceof ConnectError ? error.cause : error;
  if (isUnwritable(cause) || NO_DATABASE.has(codeOf(cause))) return false;
  return isUnreachable(cause) || codeOf(cause) === NO_SOCKET;
}

/** The most attempts. The process that takes over the embedded database may end too, so one retry may not suffice. */
const MAX_ATTEMPTS = 5;

/** The time between two attempts. A process that ends rejects queries a moment before it stops listening (database-server.ts). */
const RETRY_MS = 100;

/**
 * Repeats work on the embedded database if the process that served the database has ended. The next process that connects takes
 * over. @param work can run again from its start, no matter which of its statements have already run
 */
export async function repeatAfterHandover<T>({ kind }: Database, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (kind !== 'embedded' || attempt === MAX_ATTEMPTS || !isConnectionLost(error)) throw error;
    }
    await wait(RETRY_MS);
  }
}
