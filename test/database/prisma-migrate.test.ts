import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { migrate } from '../../src/database/migrations/migrate.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { readMigrations, withSchemaEngine } from '../support/schema-engine.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const filters = { externalTables: [], externalEnums: [] };
const migrationsList = readMigrations();
const PRISMA_LOCK = 72_707_369;
const names = migrationsList.migrationDirectories.map((directory) => directory.path);

let place: TestDatabase;
beforeEach(async () => {
  place = await createTestDatabase('nothing');
});
afterEach(() => place.drop());

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(place.location);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The columns that Prisma gives its table: name, type, length, whether null is allowed, default. */
const COLUMNS = [
  ['id', 'character varying', 36, 'NO', null],
  ['checksum', 'character varying', 64, 'NO', null],
  ['finished_at', 'timestamp with time zone', null, 'YES', null],
  ['migration_name', 'character varying', 255, 'NO', null],
  ['logs', 'text', null, 'YES', null],
  ['rolled_back_at', 'timestamp with time zone', null, 'YES', null],
  ['started_at', 'timestamp with time zone', null, 'NO', 'now()'],
  ['applied_steps_count', 'integer', null, 'NO', '0'],
];

async function readColumns({ read }: Database): Promise<unknown[][]> {
  const columns = await read({
    text: `
      SELECT column_name, data_type, character_maximum_length, is_nullable, column_default FROM information_schema.columns
      WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
    values: [],
  });
  return columns.map((column) => Object.values(column));
}

describe('prisma migrate deploy', () => {
  test('a database that it migrated → up to date for the gateway', async () => {
    const { appliedMigrationNames } = await withSchemaEngine(place.location, (engine) =>
      engine.applyMigrations({ migrationsList, filters }),
    );
    expect(appliedMigrationNames).toEqual(names);
    await withDatabase(async (database) => {
      expect(await readColumns(database)).toEqual(COLUMNS);
      expect(await migrate(database)).toEqual([]);
    });
  });

  test('a database that the gateway migrated → up to date for it, without drift', async () => {
    await withDatabase(async (database) => {
      expect(await migrate(database)).toEqual(names);
      expect(await readColumns(database)).toEqual(COLUMNS);
    });
    await withSchemaEngine(place.location, async (engine) => {
      expect(await engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters })).toEqual({
        history: null,
        failedMigrationNames: [],
        editedMigrationNames: [],
        hasMigrationsTable: true,
      });
      // Drift makes `prisma migrate dev` ask for a reset. Through adapter-pg, the engine cannot read PostgreSQL's catalogs to find it.
      if (!isPostgres)
        expect(await engine.devDiagnostic({ migrationsList, filters })).toEqual({ action: { tag: 'createMigration' } });
      expect((await engine.applyMigrations({ migrationsList, filters })).appliedMigrationNames).toEqual([]);
    });
  });

  (isPostgres ? test : test.skip)('while it holds its lock → the gateway waits', async () => {
    await withDatabase(async (database) => {
      let finished = false;
      const migrating = database.withLock(PRISMA_LOCK, async () => {
        const migrated = migrate(database).finally(() => {
          finished = true;
        });
        const text = `
          SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
          WHERE datname = current_database() AND locktype = 'advisory' AND objid = $1 AND NOT granted`;
        while ((await database.read({ text, values: [PRISMA_LOCK] })).length === 0) expect(finished).toBe(false);
        return { migrated };
      });
      expect(await (await migrating).migrated).toEqual(names);
    });
  });
});

describe('the files of the migrations', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-migrations-'));
    await cp(MIGRATIONS, folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('with other line endings than when they were applied → up to date', async () => {
    for (const name of names) {
      const file = path.join(folder, name, 'migration.sql');
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\n', '\r\n'));
    }
    await withDatabase(async (database) => {
      expect(await migrate(database, folder)).toEqual(names);
      expect(await migrate(database)).toEqual([]);
      expect(await migrate(database, folder)).toEqual([]);
    });
  });

  test('one that fails → the words of PostgreSQL, and nothing of it recorded', async () => {
    const sql = `DO $$ BEGIN CREATE TABLE half_done (id int PRIMARY KEY); END $$; INSERT INTO half_done VALUES (1), (1) -- twice`;
    await mkdir(path.join(folder, `29990101000000_it's broken`));
    await writeFile(path.join(folder, `29990101000000_it's broken`, 'migration.sql'), sql);
    await withDatabase(async (database) => {
      await expect(migrate(database, folder)).rejects.toMatchObject({
        message:
          `Migration 29990101000000_it's broken failed and was undone. Migrations before it stay applied. ` +
          'Fix the cause and start again. The database said: duplicate key value violates unique constraint "half_done_pkey"\n' +
          'Key (id)=(1) already exists.',
      });
      expect(await migrate(database)).toEqual([]);
    });
  });
});
