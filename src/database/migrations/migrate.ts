import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../open.js';
import { findMissing } from './schema-check.js';
import { type SchemaEngine, startSchemaEngine } from './schema-engine.js';

/** Why a database cannot be used as it is, and what to do about it. */
export class MigrationError extends Error {}

const PRISMA_DIR = fileURLToPath(new URL('../../../prisma', import.meta.url));
export const MIGRATIONS_DIR = path.join(PRISMA_DIR, 'migrations');
const NO_EXTERNALS = { externalTables: [], externalEnums: [] };

/**
 * Brings the database to this version's schema and tells the names of the migrations it applied. Two gateways may do so at once.
 * A migration is one transaction: one that fails leaves the database as it was and is tried again at the next start.
 * @throws MigrationError for a database that is newer, edited or foreign
 */
export async function migrate(database: Database, migrationsDir = MIGRATIONS_DIR): Promise<string[]> {
  if (await isUpToDate(database, migrationsDir)) return [];
  return database.withMigrationAdapter(async (adapterFactory) => {
    const engine = await startSchemaEngine(readSchema(), adapterFactory);
    try {
      const migrationsList = readMigrations(migrationsDir);
      await refuseUnknownHistory(engine, migrationsList);
      const applied = await applyAll(engine, migrationsList);
      return applied;
    } finally {
      engine.free();
    }
  });
}

/** Whether the migrations of the folder, and no others, were applied as they are: known without the engine, whose start takes longer than the rest. */
async function isUpToDate({ read }: Database, migrationsDir: string): Promise<boolean> {
  const applied = await read<{ name: string; checksum: string; isDone: boolean }>({
    text: `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isDone" FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    values: [],
  }).catch(() => []); // there is no such table yet, or what is wrong shows in the engine's words
  const own = readMigrations(migrationsDir).migrationDirectories;
  return (
    applied.length === own.length &&
    own.every(({ path: name, migrationFile }) => {
      const checksum = createHash('sha256').update(migrationFile.content.value).digest('hex');
      return applied.some((migration) => migration.name === name && migration.checksum === checksum && migration.isDone);
    })
  );
}

export function readSchema(): string {
  return readFileSync(path.join(PRISMA_DIR, 'schema.prisma'), 'utf8');
}

export type MigrationsList = Parameters<SchemaEngine['applyMigrations']>[0]['migrationsList'];

export function readMigrations(migrationsDir: string): MigrationsList {
  const names = readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir: migrationsDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: readFileSync(path.join(migrationsDir, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(path.join(migrationsDir, name, 'migration.sql'), 'utf8') },
      },
    })),
  };
}

async function refuseUnknownHistory(engine: SchemaEngine, migrationsList: MigrationsList): Promise<void> {
  const { history, editedMigrationNames, failedMigrationNames } = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: NO_EXTERNALS,
  });
  const unknown = history && 'unpersistedMigrationNames' in history ? history.unpersistedMigrationNames : [];
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database has migrations that this version does not know (${unknown.join(', ')}): a newer gateway made them. ` +
        'Run that version or a later one, or restore a backup from before the upgrade.',
    );
  }
  if (editedMigrationNames.length > 0) {
    throw new MigrationError(
      `The database was made by other text of the same migrations (${editedMigrationNames.join(', ')}). ` +
        'Install the released version of the gateway, or restore prisma/migrations from it.',
    );
  }
  // A gateway that was killed while it migrated: PostgreSQL has undone the script, only the note of its start is left.
  for (const migrationName of failedMigrationNames) await engine.markMigrationRolledBack({ migrationName });
}

async function applyAll(engine: SchemaEngine, migrationsList: MigrationsList): Promise<string[]> {
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_EXTERNALS });
    return appliedMigrationNames;
  } catch (error) {
    const failed = await forgetFailed(engine, migrationsList).catch(() => []);
    throw failed.length > 0 ? failureOf(failed, error) : refusalOf(error);
  }
}

async function forgetFailed(engine: SchemaEngine, migrationsList: MigrationsList): Promise<string[]> {
  const { failedMigrationNames } = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: NO_EXTERNALS,
  });
  for (const migrationName of failedMigrationNames) await engine.markMigrationRolledBack({ migrationName });
  return failedMigrationNames;
}

function failureOf(failed: readonly string[], cause: unknown): MigrationError {
  return new MigrationError(
    `Migration ${failed.join(', ')} failed and was undone, the database is as it was before it. ` +
      `Mend the cause and start again. The database said: ${(cause as Error).message}`,
    { cause },
  );
}

function refusalOf(error: unknown): unknown {
  if ((error as { code?: string }).code !== 'P3005') return error;
  return new MigrationError(
    'The database has tables of its own and none of this gateway. Give the gateway an empty database, ' +
      'for example: CREATE DATABASE flag_admin_gateway',
    { cause: error },
  );
}

/** @throws MigrationError for a database that has not all that its migrations made */
export async function refuseIncomplete(database: Database): Promise<void> {
  const missing = await findMissing(database.prisma);
  if (missing.length === 0) return;
  throw new MigrationError(
    `The database is marked as migrated but lacks ${missing.join(', ')}: somebody changed it by hand. Restore it from a backup.`,
  );
}
