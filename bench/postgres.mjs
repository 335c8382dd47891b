import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { run } from './child.mjs';
import { atEnd } from './cleanup.mjs';

/**
 * @typedef {object} Server
 * @property {number} pid of its first start
 * @property {number} port
 * @property {() => Promise<unknown>} kill stops it at once, as a crash would
 * @property {() => Promise<unknown>} start starts it again after `kill`
 * @property {(settings: Record<string, string>) => Promise<unknown>} restart with more settings, after it has closed all connections
 */

/**
 * @typedef {object} Database
 * @property {string} version
 * @property {(name: string) => string} urlOf
 * @property {(name: string) => Promise<string>} createDatabase returns its URL
 * @property {() => Promise<Server & {urlOf: (name: string) => string}>} startReplica starts a replica that follows it
 */

/** @typedef {Server & Database} Postgres */

/** Debian installs the programs of each version in this folder. */
const VERSIONS = '/usr/lib/postgresql';

const NOT_INSTALLED = `This needs the programs of a PostgreSQL server, which are not in ${VERSIONS}/<version>/bin.
On Debian and Ubuntu: apt-get install postgresql`;

/**
 * Starts a PostgreSQL server in its own folder, reachable from this machine only.
 * @param {string[]} pinned prefix of the command, which pins it to its cores
 * @param {Record<string, string>} [settings] settings that differ from the default
 * @returns {Promise<Postgres>}
 */
export async function startPostgres(pinned, settings = {}) {
  const bin = findPrograms();
  const folder = await makeFolder();
  const data = path.join(folder, 'data');
  const access = ['-U', OWNER, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  await run([...asOwner, `${bin}/initdb`, '-D', data, ...access]);
  const server = await startServer(bin, folder, pinned, settings);
  const urlOf = urlsAt(server.port);
  return {
    ...server,
    version: (await run([`${bin}/postgres`, '--version'])).stdout.replace(/^\D+/, '').trim(),
    urlOf,
    async createDatabase(name) {
      await withClient(urlOf('postgres'), (client) => client.query(`CREATE DATABASE ${name}`));
      return urlOf(name);
    },
    async startReplica() {
      const copy = await makeFolder();
      const from = ['-d', urlOf('postgres'), '-R', '--no-sync', '--checkpoint=fast'];
      await run([...asOwner, `${bin}/pg_basebackup`, '-D', path.join(copy, 'data'), ...from]);
      const replica = await startServer(bin, copy, pinned, settings);
      return { ...replica, urlOf: urlsAt(replica.port) };
    },
  };
}

const OWNER = 'bench';
/** PostgreSQL refuses to run as root. */
const asOwner = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];

/** @type {(port: number) => (name: string) => string} */
const urlsAt = (port) => (name) => `postgresql://${OWNER}@127.0.0.1:${port}/${name}`;

/** Creates a folder as the owner of the server, so that the server can enter it. @returns {Promise<string>} */
async function makeFolder() {
  const made = await run([...asOwner, 'mktemp', '-d', path.join(tmpdir(), 'flag-admin-gateway-postgres-XXXXXXXX')]);
  const folder = made.stdout.trim();
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @type {(bin: string, folder: string, pinned: string[], settings: Record<string, string>) => Promise<Server>} */
async function startServer(bin, folder, pinned, settings) {
  const port = await freePort();
  const data = path.join(folder, 'data');
  const [pgCtl = '', ...pgCtlArgs] = [...asOwner, `${bin}/pg_ctl`, '-D', data, '-w'];
  const pidFile = path.join(data, 'postmaster.pid');
  atEnd(() => {
    if (existsSync(pidFile)) execFileSync(pgCtl, [...pgCtlArgs, '-m', 'fast', 'stop'], { cwd: tmpdir(), stdio: 'ignore' });
  });
  const start = (/** @type {Record<string, string>} */ more = {}) => {
    const set = Object.entries({ ...settings, ...more }).map(([name, value]) => `-c ${name}=${value}`);
    const options = [`-h 127.0.0.1 -p ${port} -k ''`, ...set].join(' ');
    return run([...pinned, pgCtl, ...pgCtlArgs, '-l', path.join(folder, 'log'), '-o', options, 'start']);
  };
  await start();
  return {
    pid: Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]),
    port,
    kill: () => run([pgCtl, ...pgCtlArgs, '-m', 'immediate', 'stop']),
    start: () => start(),
    async restart(more) {
      await run([pgCtl, ...pgCtlArgs, '-m', 'fast', 'stop']);
      await start(more);
    },
  };
}

/**
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 */
export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  // A query fails if its connection ends. Without a listener, the process would end, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Holds an advisory lock until the process or the server ends.
 * @param {string} url
 * @param {number} lock
 */
export async function holdLock(url, lock) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  client.on('error', () => undefined);
  atEnd(() => client.end().catch(() => undefined));
  await client.query('SELECT pg_advisory_lock($1)', [lock]);
}

/** Finds the folder with the programs of the newest version. */
function findPrograms() {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const newest = versions
    .map((version) => `${VERSIONS}/${version}/bin`)
    .find((bin) => existsSync(`${bin}/initdb`) && existsSync(`${bin}/pg_ctl`));
  if (!newest) throw new Error(NOT_INSTALLED);
  return newest;
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
