import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startServer } from '../../bench/child.mjs';
import { atEnd } from '../../bench/cleanup.mjs';
import { freePort, startPostgres, withClient } from '../../bench/postgres.mjs';
import { ADMIN_TOKEN, environmentOf, installUnleash } from '../../test/live/install-unleash.mjs';
import { readGrants } from '../../test/support/grants.ts';
import { startPooler } from '../beside.mjs';
import { ADMIN, buildGateway, createCommands, prepare, tell, waitForIndexes } from '../prepare.mjs';
import { RESERVED_IDS, startUnleashStandIn, UNLEASH_VIEWER } from './late-events.mjs';

/**
 * @typedef {object} FeedStage
 * @property {string[]} urls of the gateways
 * @property {import('../../bench/child.mjs').Server[]} gateways
 * @property {(index: number) => Promise<import('../../bench/child.mjs').Server>} start starts a gateway in place of a killed one
 * @property {import('../prepare.mjs').Prepared['command']} command
 * @property {(sql: string) => Promise<any[]>} query runs SQL on the primary, and tries again if the connection is lost
 * @property {import('./readers.mjs').Audience[]} audiences
 * @property {string | null} writerUrl where writers connect; null on the embedded database, which has one session
 * @property {string | null} cut the condition of SQL for the connections of gateways; null on the embedded database, where none can be cut
 * @property {number | null} reserved ids up to this one belong to imports; null if no event is added below others
 * @property {string} folder for files
 * @property {Awaited<ReturnType<typeof startUnleashStandIn>>} unleash
 * @property {{url: string, token: string} | null} liveUnleash an Unleash server that writes to the database
 */

/**
 * Budgets do not run out, because a soak requests many pages, and all readers of a token are connected to one gateway while the
 * other one is down.
 */
const ENV = { LOG_LEVEL: 'warn', GRAPHQL_COST_PER_MINUTE: '900000000', FAILED_LOGINS_PER_MINUTE: '0', STOP_DELAY_MS: '0' };

const SETTINGS = { max_prepared_transactions: '50', fsync: 'off' };
const FIRST_EVENTS = 500;
const UNLEASH_VERSION = '8.2.0';
const GATEWAY_ROLE = 'soak_gateway';

/** The name of the connections of the soak itself, which are not cut. */
const SOAK_NAME = 'feed-soak';

const ALL = { name: 'all projects', token: ADMIN, condition: 'true' };

/** Moves the next id of the log above those that imports add. */
const RESERVE = `SELECT setval('events_id_seq', ${RESERVED_IDS})`;

async function makeFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'flag-admin-gateway-feed-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** @type {(url: string) => string} */
function named(url) {
  const withName = new URL(url);
  withName.searchParams.set('application_name', SOAK_NAME);
  return withName.href;
}

const RETRIES = 100;

/** @type {(connect: () => pg.Client) => FeedStage['query']} */
const createQuery = (connect) => async (sql) => {
  for (let attempt = 0; ; attempt += 1) {
    const client = connect();
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } catch (error) {
      if (attempt === RETRIES || /** @type {any} */ (error).code?.startsWith('42')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    } finally {
      // The end of a connection that was never made may not be reported, so it is not awaited.
      client.end().catch(() => undefined);
    }
  }
};

/** @type {(url: string) => FeedStage['query']} */
const queryAt = (url) => createQuery(() => new pg.Client({ connectionString: url }));

/** @type {(command: FeedStage['command']) => Promise<import('./readers.mjs').Audience[]>} */
async function createAudiences(command) {
  const audiences = [ALL];
  for (const projects of [['p1'], ['p0', 'p2']]) {
    const name = `projects ${projects.join(' and ')}`;
    const token = await command(['token', 'create', '--name', name, '--role', 'VIEWER', '--project', projects.join(',')]);
    audiences.push({ name, token, condition: `project IN (${projects.map((project) => `'${project}'`).join(',')})` });
  }
  return audiences;
}

/** @type {(serve: import('../prepare.mjs').Prepared['serve'], count: number, more?: Record<string, string>) => Promise<Pick<FeedStage, 'urls' | 'gateways' | 'start'>>} */
async function startGateways(serve, count, more = {}) {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const start = (/** @type {number} */ index) => serve({ ...more, PORT: String(ports[index]) });
  const gateways = await Promise.all(ports.map((_, index) => start(index)));
  return { gateways, urls: gateways.map(({ url }) => url), start };
}

/** @typedef {{pooled: boolean, replicated: boolean}} Between whether pgbouncer is between the gateways and PostgreSQL, and whether there is a replica */

/** @type {(between: Between) => Promise<FeedStage>} */
async function buildOwn({ pooled, replicated }) {
  const { postgres, databaseUrl, serve, command } = await prepare({ events: FIRST_EVENTS, env: ENV, settings: SETTINGS });
  const query = queryAt(named(databaseUrl));
  await query(RESERVE);
  const audiences = await createAudiences(command);
  const replica = replicated ? await postgres.startReplica() : null;
  const pooler = pooled ? await startPooler(databaseUrl) : null;
  const gateways = await startGateways(serve, 2, {
    ...(replica && { DATABASE_REPLICA_URLS: replica.urlOf('soak') }),
    ...(pooler && { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl }),
  });
  await waitForIndexes(databaseUrl);
  return {
    ...gateways,
    command,
    query,
    audiences,
    writerUrl: named(databaseUrl),
    cut: `application_name <> '${SOAK_NAME}'`,
    reserved: RESERVED_IDS,
    folder: await makeFolder(),
    unleash: await startUnleashStandIn(),
    liveUnleash: null,
  };
}

/** Starts gateways with the rights of docs/grants.sql on the database of an Unleash server, which also writes. @returns {Promise<FeedStage>} */
async function buildBeside() {
  await buildGateway();
  tell(`starting Unleash ${UNLEASH_VERSION}`);
  const unleashCommand = installUnleash(UNLEASH_VERSION);
  const postgres = await startPostgres([], SETTINGS);
  const databaseUrl = await postgres.createDatabase('unleash');
  const live = await startServer(unleashCommand, environmentOf(databaseUrl, await freePort()));
  await withClient(databaseUrl, async (client) =>
    client.query(`CREATE ROLE ${GATEWAY_ROLE} LOGIN; ${await readGrants(GATEWAY_ROLE)}`),
  );
  const asRole = new URL(databaseUrl);
  asRole.username = GATEWAY_ROLE;
  // The stand-in accepts a viewer's token. In Unleash, only people who log in have one.
  const unleash = await startUnleashStandIn();
  const { command, serve } = createCommands({
    ...ENV,
    DATABASE_URL: asRole.href,
    DATABASE_SCHEMA: 'unleash',
    UNLEASH_URL: unleash.url,
  });
  return {
    ...(await startGateways(serve, 2)),
    command,
    query: queryAt(named(databaseUrl)),
    audiences: [ALL, { name: 'a viewer of Unleash', token: UNLEASH_VIEWER, condition: 'project IS NOT NULL' }],
    writerUrl: named(databaseUrl),
    cut: `usename = '${GATEWAY_ROLE}'`,
    reserved: null,
    folder: await makeFolder(),
    unleash,
    liveUnleash: { url: live.url, token: ADMIN_TOKEN },
  };
}

/** Starts one gateway on an embedded database. @returns {Promise<FeedStage>} */
async function buildEmbedded() {
  await buildGateway();
  const folder = await makeFolder();
  const dataDir = path.join(folder, 'data');
  const { command, serve } = createCommands({ ...ENV, DATA_DIR: dataDir });
  const audiences = await createAudiences(command);
  const gateways = await startGateways(serve, 1);
  const query = createQuery(
    () => new pg.Client({ user: 'postgres', database: 'postgres', stream: () => new EmbeddedSocket(dataDir) }),
  );
  await query(RESERVE);
  return {
    ...gateways,
    command,
    query,
    audiences,
    writerUrl: null,
    cut: null,
    reserved: RESERVED_IDS,
    folder,
    unleash: await startUnleashStandIn(),
    liveUnleash: null,
  };
}

/** A connection to the process that serves an embedded database. That process listens on the socket with the highest number. */
class EmbeddedSocket extends Socket {
  /** @param {string} dataDir */
  constructor(dataDir) {
    super();
    this.dataDir = dataDir;
  }

  /** @override */
  connect() {
    readdir(this.dataDir).then(
      (names) => {
        const numbers = names.flatMap((name) => /^database\.sock\.(\d+)$/.exec(name)?.[1] ?? []).map(Number);
        super.connect(path.join(this.dataDir, `database.sock.${Math.max(...numbers)}`));
      },
      (error) => this.destroy(error),
    );
    return this;
  }
}

/** The stages by the value of `--database`. @type {Record<string, (between: Between) => Promise<FeedStage>>} */
export const STAGES = { own: buildOwn, beside: buildBeside, embedded: buildEmbedded };
