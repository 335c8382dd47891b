import { repositoryFile, run, startServer } from '../bench/child.mjs';
import { fillEventLog } from '../bench/event-log.mjs';
import { freePort, startPostgres, withClient } from '../bench/postgres.mjs';
import { cpuMs, familyCpuMs } from '../bench/proc.mjs';
import { startBalancer, startPooler } from './beside.mjs';
import { readLog } from './operations.mjs';

export const ADMIN = 'soak-admin-token';
const ENV = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'error',
  INIT_ADMIN_API_TOKENS: ADMIN,
  GRAPHQL_COST_PER_MINUTE: '900000000',
  FAILED_LOGINS_PER_MINUTE: '0',
  STOP_DELAY_MS: '3000',
};

/**
 * @typedef {object} Stage
 * @property {import('../bench/postgres.mjs').Postgres} postgres
 * @property {string} databaseUrl of the primary itself
 * @property {import('./operations.mjs').Log} log
 * @property {string} viewer a token
 * @property {import('../bench/child.mjs').Server[]} gateways
 * @property {(index: number) => Promise<import('../bench/child.mjs').Server>} start a gateway in place of one that ended
 * @property {string[]} urls where requests go
 * @property {() => Record<string, number | null>} cpuMs of each server so far
 */

/**
 * Two gateways on one PostgreSQL server.
 * @param {{events: number, balanced: boolean, pooled: boolean, replicated: boolean, tell: (text: string) => void}} options whether haproxy is
 *   in front of the gateways, pgbouncer between them and the server, and whether there is a replica to read from
 * @returns {Promise<Stage>}
 */
export async function buildStage({ events, balanced, pooled, replicated, tell }) {
  await run(['npm', '--prefix', repositoryFile(''), 'run', '-s', 'build']);
  const postgres = await startPostgres([]);
  const databaseUrl = await postgres.createDatabase('soak');
  const gateway = (/** @type {string} */ name) => [process.execPath, repositoryFile('dist/main.js'), name];
  const direct = { ...ENV, DATABASE_URL: databaseUrl };
  await run(gateway('migrate'), direct);
  tell(`generating ${events} events`);
  await fillEventLog(databaseUrl, events);
  const log = await withClient(databaseUrl, readLog);
  const token = await run([...gateway('token'), 'create', '--name', 'soak-viewer', '--role', 'VIEWER'], direct);

  const replica = replicated ? await postgres.startReplica() : null;
  const pooler = pooled ? await startPooler(databaseUrl) : null;
  const env = {
    ...direct,
    ...(replica && { DATABASE_REPLICA_URLS: replica.urlOf('soak') }),
    ...(pooler && { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl }),
  };
  const ports = [await freePort(), await freePort()];
  const start = (/** @type {number} */ index) => startServer(gateway('serve'), { ...env, PORT: String(ports[index]) });
  const gateways = await Promise.all(ports.map((_, index) => start(index)));
  await waitForIndexes(databaseUrl);
  return {
    postgres,
    databaseUrl,
    log,
    viewer: token.stdout.trim(),
    gateways,
    start,
    urls: balanced ? [await startBalancer(ports)] : gateways.map(({ url }) => url),
    cpuMs: () => ({
      primary: familyCpuMs(postgres.pid),
      ...(replica && { replica: familyCpuMs(replica.pid) }),
      ...(pooler && { pgbouncer: cpuMs(pooler.pid) }),
      gateways: gateways.reduce((sum, { pid }) => sum + (cpuMs(pid) ?? 0), 0),
    }),
  };
}

/** A first log gets its indexes for free text while it is served. @param {string} url */
async function waitForIndexes(url) {
  const isThere = () =>
    withClient(url, async (client) => {
      const { rows } = await client.query(
        `SELECT count(*)::int AS count FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname LIKE 'events\\_%trigram\\_idx' AND indisvalid`,
      );
      return rows[0].count === 3;
    });
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 500));
}
