import type { Database, Execute } from '../open.js';
import type { Read } from '../read.js';

const CANCEL_EVERY_MS = 200;

/**
 * Runs `build` under an advisory lock, and cancels its running statement once `signal` is aborted. Otherwise, PostgreSQL would go
 * on building after this process has ended. In the embedded database, the running statement is not canceled.
 * @returns whether `build` ran; false while another process holds the lock
 * @throws an AbortError, or the error of the canceled statement (`isCanceled`), once `signal` is aborted
 */
export function buildCancelably(
  database: Database,
  lock: number,
  signal: AbortSignal,
  build: (execute: Execute) => Promise<void>,
): Promise<boolean> {
  return database.withTryLock(lock, async (execute) => {
    // A cancel request that arrives between two statements cancels nothing, so the request is repeated.
    const watch = setInterval(() => {
      if (signal.aborted) void cancelHolder(database.read, lock).catch(() => undefined);
    }, CANCEL_EVERY_MS);
    try {
      await build(async (sql) => {
        signal.throwIfAborted();
        return execute(sql);
      });
    } finally {
      clearInterval(watch);
    }
  });
}

/** Cancels the running statement of the session that holds the lock. */
async function cancelHolder(read: Read, lock: number): Promise<void> {
  await read({
    text: `
      SELECT pg_cancel_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND objid = $1::oid AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    values: [lock],
  });
}
