import { freePort } from '../bench/postgres.mjs';
import { cpuMs, familyCpuMs } from '../bench/proc.mjs';
import { startBalancer, startPooler } from './beside.mjs';
import { prepare, waitForIndexes } from './prepare.mjs';

const ENV = {
  LOG_LEVEL: 'error',
  GRAPHQL_COST_PER_MINUTE: '900000000',
  FAILED_LOGINS_PER_MINUTE: '0',
  // Longer than haproxy needs to notice the stop, even if two of its checks time out.
  STOP_DELAY_MS: '6000',
};

/**
 * @typedef {object} Stage
 * @property {import('../bench/postgres.mjs').Postgres} postgres
 * @property {string} databaseUrl of the primary itself
 * @property {import('./operations.mjs').Log} log
 * @property {string} viewer a token
 * @property {import('../bench/child.mjs').Server[]} gateways
 * @property {(index: number) => Promise<import('../bench/child.mjs').Server>} start starts a gateway in place of a stopped one
 * @property {string[]} urls targets of the requests
 * @property {() => Record<string, number>} cpuMs CPU time of each server so far
 */

/**
 * Starts two gateways on one PostgreSQL server.
 * @param {{events: number, balanced: boolean, pooled: boolean, replicated: boolean}} options whether haproxy is in front of the gateways,
 *   pgbouncer between them and the server, and whether there is a replica to read from
 * @returns {Promise<Stage>}
 */
export async function buildStage({ events, balanced, pooled, replicated }) {
  const { postgres, databaseUrl, log, viewer, serve } = await prepare({ events, env: ENV });
  const replica = replicated ? await postgres.startReplica() : null;
  const pooler = pooled ? await startPooler(databaseUrl) : null;
  const between = {
    ...(replica && { DATABASE_REPLICA_URLS: replica.urlOf('soak') }),
    ...(pooler && { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl }),
  };
  const ports = [await freePort(), await freePort()];
  const start = (/** @type {number} */ index) => serve({ ...between, PORT: String(ports[index]) });
  const gateways = await Promise.all(ports.map((_, index) => start(index)));
  await waitForIndexes(databaseUrl);
  return {
    postgres,
    databaseUrl,
    log,
    viewer,
    gateways,
    start,
    urls: balanced ? [await startBalancer(ports)] : gateways.map(({ url }) => url),
    cpuMs: () => ({
      primary: familyCpuMs(postgres.pid) ?? 0,
      ...(replica && { replica: familyCpuMs(replica.pid) ?? 0 }),
      ...(pooler && { pgbouncer: cpuMs(pooler.pid) ?? 0 }),
      gateways: gateways.reduce((sum, { pid }) => sum + (cpuMs(pid) ?? 0), 0),
    }),
  };
}
