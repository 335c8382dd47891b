import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { readGrants } from '../support/grants.js';

const SERVER = process.env.TEST_DATABASE_URL ?? '';
const VERSIONS = '/usr/lib/postgresql';

/** Creates an empty database on the server of TEST_DATABASE_URL. @returns its URL for the owner */
export async function createDatabase(name: string): Promise<string> {
  if (SERVER === '') throw new Error('TEST_DATABASE_URL names no PostgreSQL server; run npm run test:live.');
  await execute(SERVER, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await execute(SERVER, `CREATE DATABASE ${name}`);
  // Unleash counts days in the zone of its database, and the gateway in UTC.
  await execute(SERVER, `ALTER DATABASE ${name} SET timezone = 'UTC'`);
  return withUser(SERVER, name, null);
}

/** Creates a role with the rights of docs/grants.sql, or only those for reading. @returns the database URL for that role */
export async function createGrantedRole(ownerUrl: string, role: string, rights: 'all' | 'reading'): Promise<string> {
  await execute(ownerUrl, `DROP ROLE IF EXISTS ${role}; CREATE ROLE ${role} LOGIN`);
  await execute(ownerUrl, await readGrants(role, rights));
  return withUser(ownerUrl, null, role);
}

export async function execute<Row extends object = Record<string, unknown>>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Dumps the schema of the database, without its rows. */
export function dumpSchema(url: string): string {
  const newest = Math.max(...readdirSync(VERSIONS).map(Number).filter(Number.isFinite));
  const dump = execFileSync(path.join(VERSIONS, String(newest), 'bin', 'pg_dump'), ['--schema-only', url], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  // Newer versions of pg_dump write \restrict with a random key, which differs from dump to dump.
  return dump.replaceAll(/^\\(un)?restrict .*$/gm, '');
}

function withUser(base: string, database: string | null, user: string | null): string {
  const url = new URL(base);
  if (database !== null) url.pathname = `/${database}`;
  if (user !== null) url.username = user;
  return url.href;
}
