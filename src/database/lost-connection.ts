import { setTimeout as wait } from 'node:timers/promises';
import { ConnectError } from './connect-error.js';
import { codeOf, isUnreachable, isUnwritable } from './database-errors.js';
import type { Database } from './open.js';

/** The code of PostgreSQL after `DROP DATABASE`, and that of Node.js for a Unix socket of a server that is stopped. */
const DROPPED_DATABASE = '57P04';
const NO_SOCKET = 'ENOENT';

/** Whether the connection failed, so that the same work may succeed later. */
export function isConnectionLost(error: unknown): boolean {
  const cause = error instanceof ConnectError ? error.cause : error;
  if (isUnwritable(cause) || codeOf(cause) === DROPPED_DATABASE) return false;
  return isUnreachable(cause) || codeOf(cause) === NO_SOCKET;
}

/** The most attempts. Two may not suffice, because the process that takes over the embedded database may end, too. */
const MAX_ATTEMPTS = 5;

/** The time between two attempts. A process that ends closes its connections a moment before the socket it listens on. */
const RETRY_MS = 100;

/**
 * Repeats work on the embedded database if the process that served it has ended. Another process takes over with the next
 * connection. @param work is safe to run again from its start, after any of its statements
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
