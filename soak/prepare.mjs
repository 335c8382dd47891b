import { repositoryFile, run, startServer } from '../bench/child.mjs';
import { fillEventLog } from '../bench/event-log.mjs';
import { startPostgres, withClient } from '../bench/postgres.mjs';
import { readLog } from './operations.mjs';
import { LARGE_EVENTS, LARGE_FLAG } from './ways.mjs';

export const ADMIN = 'soak-admin-token';
/** PostgreSQL accepts local connections without a password. The password serves to check that no log contains it. */
export const PASSWORD = 'soak-database-password';

export const tell = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/**
 * @typedef {object} Prepared
 * @property {import('../bench/postgres.mjs').Postgres} postgres
 * @property {string} databaseUrl
 * @property {import('./operations.mjs').Log} log
 * @property {string} viewer a token
 * @property {(more?: Record<string, string>) => Promise<import('../bench/child.mjs').Server>} serve starts a gateway
 * @property {(args: string[], more?: Record<string, string>) => Promise<string>} command runs a command to its end and returns its output
 * @property {(name: string, more?: Record<string, string>, role?: 'VIEWER' | 'ADMIN') => Promise<string>} createToken creates a token, by default for a viewer
 */

/**
 * Builds the gateway, and starts a PostgreSQL server with a log and tokens for it.
 * @param {{events: number, env: Record<string, string>, pinned?: {server: string[], database: string[]}, settings?: Record<string, string>}} options
 * @returns {Promise<Prepared>}
 */
export async function prepare({ events, env, pinned = { server: [], database: [] }, settings = {} }) {
  await buildGateway();
  const postgres = await startPostgres(pinned.database, settings);
  const databaseUrl = (await postgres.createDatabase('soak')).replace('@', `:${PASSWORD}@`);
  const { command, serve } = createCommands({ DATABASE_URL: databaseUrl, ...env }, pinned.server);
  /** @type {Prepared['createToken']} */
  const createToken = (name, more = {}, role = 'VIEWER') => command(['token', 'create', '--name', name, '--role', role], more);
  await command(['migrate']);
  tell(`generating ${events} events`);
  await fillEventLog(databaseUrl, events);
  return {
    postgres,
    databaseUrl,
    log: await withClient(databaseUrl, readLog),
    viewer: await createToken('soak-viewer'),
    command,
    createToken,
    serve,
  };
}

export const buildGateway = () => run(['npm', '--prefix', repositoryFile(''), 'run', '-s', 'build']);

/**
 * Returns functions that run commands of the gateway and start gateways.
 * @param {Record<string, string>} env
 * @param {string[]} [pinned] prefix of the command of a server
 * @returns {Pick<Prepared, 'command' | 'serve'>}
 */
export function createCommands(env, pinned = []) {
  const all = { NODE_ENV: 'production', INIT_ADMIN_API_TOKENS: ADMIN, PORT: '0', ...env };
  const gateway = [process.execPath, repositoryFile('dist/main.js')];
  return {
    command: async (args, more = {}) => (await run([...gateway, ...args], { ...all, ...more })).stdout.trim(),
    serve: (more) => startServer([...pinned, ...gateway, 'serve'], { ...all, ...more }),
  };
}

/** Waits for the free-text indexes of a new log, which a gateway builds while it serves. @param {string} url */
export async function waitForIndexes(url) {
  const isThere = () =>
    withClient(url, async (client) => {
      const { rows } = await client.query(
        `SELECT count(*)::int AS count FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname LIKE 'events\\_%trigram\\_idx' AND indisvalid`,
      );
      return rows[0].count === 3;
    });
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 500));
}

/** Adds a flag with as many events as all others have together, and one with large events. @param {string} url */
export async function addLargeFlag(url) {
  await withClient(url, async (client) => {
    await client.query(`
      INSERT INTO events (created_at, type, created_by, created_by_user_id, environment, project, feature_name, data, pre_data, tags)
      SELECT created_at, type, created_by, created_by_user_id, environment, project, '${LARGE_FLAG}', data, pre_data, tags FROM events`);
    // They are the oldest events, so that other pages do not have them. A repeated letter adds few trigrams to the index of tags.
    await client.query(`
      INSERT INTO events (created_at, type, created_by, feature_name, tags)
      SELECT '2000-01-01Z', 'feature-tagged', 'x', '${LARGE_EVENTS}', json_build_array(json_build_object('type', 'simple', 'value', repeat('x', 60000)))
      FROM generate_series(1, 1000)`);
    await client.query('VACUUM ANALYZE events');
  });
}
