import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Database, Execute } from '../open.js';
import type { Read } from '../read.js';
import { MigrationError } from './migration-error.js';
import { rejectMissingRights } from './missing-rights.js';
import { findMissing } from './schema-check.js';

/** A folder of `prisma/migrations`. */
interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** A row of `_prisma_migrations` that is not marked as rolled back. */
interface HistoryRow {
  readonly name: string;
  readonly checksum: string;
  readonly isFinished: boolean;
}

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/**
 * The advisory lock of `prisma migrate deploy`. Gateways that start at the same time take it too, and migrate one after another.
 */
const MIGRATION_LOCK = 72_707_369;

/** Lists the tables of the current schema. Leaves out `spatial_ref_sys`, a table of PostGIS that Prisma ignores, too. */
const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'spatial_ref_sys'`;

const HISTORY = `
  SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished" FROM _prisma_migrations WHERE rolled_back_at IS NULL`;

/**
 * Creates the history table as Prisma does, so that `prisma migrate deploy` works on it too. A row without `finished_at` is a
 * failed or interrupted attempt: it is marked as rolled back, and its script runs again.
 */
const PREPARE_HISTORY = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  );
  UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

/**
 * Brings the database to the schema of this version. Several gateways may call this at once: one migrates, and the others wait
 * and find nothing left to do.
 * @returns the names of the migrations that it applied
 * @throws MigrationError if the database has unknown or edited migrations or tables of another program, if the role lacks a
 * right, or if a migration fails
 */
export async function migrate(database: Database, migrationsDir = MIGRATIONS_DIR): Promise<string[]> {
  const migrations = readMigrations(migrationsDir);
  if ((await findPending(database.read, migrations)).length === 0) return [];
  if (database.kind === 'PostgreSQL') await rejectMissingRights(database.read);
  return database.withLock(MIGRATION_LOCK, async (execute, read) => {
    // Another process may have migrated while this one waited for the lock.
    const pending = await findPending(read, migrations);
    if (pending.length > 0) await execute(PREPARE_HISTORY);
    for (const migration of pending) await apply(migration, execute);
    return pending.map(({ name }) => name);
  });
}

function readMigrations(migrationsDir: string): Migration[] {
  return readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, sql: readFileSync(path.join(migrationsDir, name, 'migration.sql'), 'utf8') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the migrations that the database lacks, in order. */
async function findPending(read: Read, migrations: readonly Migration[]): Promise<Migration[]> {
  const history = await readHistory(read);
  const unknown = history.filter((row) => !migrations.some(({ name }) => name === row.name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database has migrations that this version does not know (${namesOf(unknown)}): a newer gateway made them. ` +
        'Run that version or a later one, or restore a backup from before the upgrade.',
    );
  }
  const edited = migrations.filter(({ name, sql }) =>
    history.some((row) => row.name === name && !hasChecksum(sql, row.checksum)),
  );
  if (edited.length > 0) {
    throw new MigrationError(
      `The migrations of this database have another text than those of this version (${namesOf(edited)}). ` +
        'Install the released version of the gateway, or restore prisma/migrations from it.',
    );
  }
  return migrations.filter(({ name }) => !history.some((row) => row.name === name && row.isFinished));
}

async function readHistory(read: Read): Promise<HistoryRow[]> {
  const tables = await read<{ name: string }>({ text: TABLES, values: [] });
  if (tables.some(({ name }) => name === '_prisma_migrations')) return read({ text: HISTORY, values: [] });
  if (tables.length === 0) return [];
  throw new MigrationError(
    'The database has tables, but none of this gateway. Give the gateway an empty database, ' +
      'for example: CREATE DATABASE flag_admin_gateway',
  );
}

/**
 * Whether a script has this checksum with LF or CRLF at the ends of its lines: Git may convert them. Prisma accepts both, too.
 */
function hasChecksum(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => hash('sha256', text) === checksum);
}

/**
 * Runs a script and the insertion of its row in the history as one simple query, which PostgreSQL executes as one transaction. If
 * the gateway is killed, PostgreSQL still commits the transaction or rolls it back. The session holds the migration lock until
 * then, so the next gateway waits.
 */
async function apply({ name, sql }: Migration, execute: Execute): Promise<void> {
  const record = `
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    VALUES (gen_random_uuid(), '${hash('sha256', sql)}', ${pg.escapeLiteral(name)}, clock_timestamp(), 1)`;
  try {
    // The script may end in a comment, or without a semicolon.
    await execute(`${sql}\n;${record}`);
  } catch (cause) {
    const { severity, message, detail, hint } = cause as pg.DatabaseError;
    // Only errors of PostgreSQL have a severity. After a lost connection, the outcome of the script is unknown.
    if (severity === undefined) throw cause;
    throw new MigrationError(
      `Migration ${name} failed and was undone. Migrations before it stay applied. Fix the cause and start again. ` +
        `The database said: ${[message, detail, hint].filter(Boolean).join('\n')}`,
      { cause },
    );
  }
}

function namesOf(named: readonly { readonly name: string }[]): string {
  return named.map(({ name }) => name).join(', ');
}

/** @throws MigrationError if a table or column that the migrations created is missing */
export async function rejectIncomplete(database: Database): Promise<void> {
  const missing = await findMissing(database.prisma);
  if (missing.length === 0) return;
  throw new MigrationError(
    `The database is marked as migrated but lacks ${missing.join(', ')}: somebody changed it by hand. Restore it from a backup.`,
  );
}
