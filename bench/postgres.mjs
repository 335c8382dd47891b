import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { run } from './child.mjs';
import { atEnd } from './cleanup.mjs';

/**
 * @typedef {object} Postgres
 * @property {number} pid
 * @property {string} version
 * @property {(name: string) => Promise<string>} createDatabase answers its URL
 * @property {(name: string) => Promise<void>} dropDatabase
 * @property {() => Promise<unknown>} kill ends it at once, as a crash would
 * @property {() => Promise<unknown>} start after it was killed
 */

/** Where Debian puts the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';

const NOT_INSTALLED = `The benchmark starts a PostgreSQL server of its own, and its programs are not in ${VERSIONS}/<version>/bin.
On Debian and Ubuntu: apt-get install postgresql`;

/**
 * Starts a PostgreSQL server with its default settings in a folder of its own, reachable from this machine only.
 * @param {string[]} pinned what to put before the command, to keep it on its cores
 * @returns {Promise<Postgres>}
 */
export async function startPostgres(pinned) {
  const bin = findPrograms();
  // PostgreSQL refuses to run as root.
  const asOwner = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  const folder = (
    await run([...asOwner, 'mktemp', '-d', path.join(tmpdir(), 'flag-admin-gateway-postgres-XXXXXXXX')])
  ).stdout.trim();
  atEnd(() => rmSync(folder, { recursive: true, force: true }));

  const data = path.join(folder, 'data');
  await run([
    ...asOwner,
    `${bin}/initdb`,
    '-D',
    data,
    '-U',
    'bench',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);

  const port = await freePort();
  const [pgCtl = '', ...pgCtlArgs] = [...asOwner, `${bin}/pg_ctl`, '-D', data, '-w'];
  const pidFile = path.join(data, 'postmaster.pid');
  atEnd(() => {
    if (existsSync(pidFile)) execFileSync(pgCtl, [...pgCtlArgs, '-m', 'fast', 'stop'], { cwd: tmpdir(), stdio: 'ignore' });
  });
  const start = () =>
    run([...pinned, pgCtl, ...pgCtlArgs, '-l', path.join(folder, 'log'), '-o', `-h 127.0.0.1 -p ${port} -k ''`, 'start']);
  await start();

  const urlOf = (/** @type {string} */ name) => `postgresql://bench@127.0.0.1:${port}/${name}`;
  return {
    pid: Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]),
    version: (await run([`${bin}/postgres`, '--version'])).stdout.replace(/^\D+/, '').trim(),
    kill: () => run([pgCtl, ...pgCtlArgs, '-m', 'immediate', 'stop']),
    start,
    async createDatabase(name) {
      await withClient(urlOf('postgres'), (client) => client.query(`CREATE DATABASE ${name}`));
      return urlOf(name);
    },
    async dropDatabase(name) {
      await withClient(urlOf('postgres'), (client) => client.query(`DROP DATABASE ${name}`));
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
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Takes an advisory lock until the end.
 * @param {string} url
 * @param {number} lock
 */
export async function holdLock(url, lock) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  atEnd(() => client.end().catch(() => undefined));
  await client.query('SELECT pg_advisory_lock($1)', [lock]);
}

/** The folder with the programs of the newest version. */
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
