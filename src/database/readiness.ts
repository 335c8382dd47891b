import type { Database } from './open.js';
import { isDatabaseReady } from './probes.js';

/** Returns why the gateway should get no requests; null if it is ready. */
export async function findUnready(database: Database, isStopping: boolean): Promise<string | null> {
  if (isStopping) return 'The gateway is about to stop.';
  return (await isReady(database)) ? null : 'The database is unavailable.';
}

/**
 * Whether the database serves queries. If the check fails while connections are busy, the gateway still counts as ready: another
 * gateway on the same database would not respond faster.
 */
async function isReady({ isUnavailable, connections, prisma }: Database): Promise<boolean> {
  if (isUnavailable()) return false;
  return (await isDatabaseReady(prisma)) || (!isUnavailable() && connections().busy > 0);
}
