import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { migrate } from '../../src/database/migrations/migrate.js';
import { MigrationError } from '../../src/database/migrations/migration-error.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { runCommand, spawnCommand } from '../support/run-command.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

describe('migrate', () => {
  let location: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    location = await createTestDatabase('nothing');
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-migrate-'));
    await cp(MIGRATIONS, folder, { recursive: true });
  });
  afterEach(async () => {
    await location.drop();
    await rm(folder, { recursive: true });
  });

  const command = () => runCommand(location.env, ['migrate']);
  const addMigration = async (name: string, sql: string) => {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, 'migration.sql'), sql);
  };
  const withDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(location.location);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const tablesOf = ({ prisma }: Database) =>
    prisma.$queryRaw<{ name: string }[]>`
      SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`;

  test('on an empty database → applied and said so; a second time → nothing to do', async () => {
    const first = await command();
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Applied 20\d+_init\b/);
    expect(await command()).toEqual({ code: 0, stdout: 'Nothing to apply: the database is up to date.\n', stderr: '' });
  });

  (isPostgres ? test : test.skip)('several at once → one of them applies, all succeed', async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => spawnCommand(location.env, ['migrate'])));
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(4).fill({ code: 0, stderr: '' }));
    expect(results.filter(({ stdout }) => stdout.startsWith('Applied'))).toHaveLength(1);
  });

  test('a migration that fails → undone with its cause told; mended → applied at the next start', async () => {
    await withDatabase(async (database) => {
      await migrate(database, folder);
      const before = await tablesOf(database);
      await addMigration(
        '29990101000000_broken',
        'CREATE TABLE half_done (id int); INSERT INTO no_such_table VALUES (1); CREATE TABLE never (id int);',
      );
      const failure = migrate(database, folder);
      await expect(failure).rejects.toThrow(MigrationError);
      await expect(failure).rejects.toThrow(/29990101000000_broken failed and was undone.*no_such_table/s);
      expect(await tablesOf(database)).toEqual(before);

      await writeFile(path.join(folder, '29990101000000_broken', 'migration.sql'), 'CREATE TABLE half_done (id int);');
      expect(await migrate(database, folder)).toEqual(['29990101000000_broken']);
      expect(await tablesOf(database)).toContainEqual({ name: 'half_done' });
      expect(await migrate(database, folder)).toEqual([]);
    });
  });

  test('of two new migrations of which the second fails → the first is kept', async () => {
    await withDatabase(async (database) => {
      await addMigration('29990101000000_good', 'CREATE TABLE good (id int);');
      await addMigration('29990102000000_broken', 'CREATE TABLE half_done (id int); SELECT 1/0;');
      await expect(migrate(database, folder)).rejects.toThrow(/29990102000000_broken failed and was undone/);
      const tables = await tablesOf(database);
      expect(tables).toContainEqual({ name: 'good' });
      expect(tables).not.toContainEqual({ name: 'half_done' });
    });
  });

  test('after a gateway was killed while it migrated → the next start goes on', async () => {
    await withDatabase(async (database) => {
      await migrate(database, folder);
      const sql = 'CREATE TABLE interrupted (id int);';
      await addMigration('29990101000000_interrupted', sql);
      const checksum = createHash('sha256').update(sql).digest('hex');
      await database.prisma.$executeRaw`
        INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
        VALUES ('00000000-0000-0000-0000-000000000000', ${checksum}, '29990101000000_interrupted', now(), 0)`;
      expect(await migrate(database, folder)).toEqual(['29990101000000_interrupted']);
      expect(await tablesOf(database)).toContainEqual({ name: 'interrupted' });
    });
  });

  const expectRefused = async (rule: RegExp, args: readonly string[] = ['migrate']) => {
    const { code, stdout, stderr } = await runCommand({ PORT: '0', ...location.env }, args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(rule);
    expect(stderr).not.toMatch(/\n\s+at /);
  };

  (isPostgres ? test : test.skip)(
    'after a gateway was killed while PostgreSQL ran its script to the end → it counts as applied',
    async () => {
      const url = 'url' in location.location ? location.location.url : '';
      await withDatabase(async (database) => {
        await migrate(database, folder);
        await addMigration('29990101000000_slow', 'CREATE TABLE slow (id int); SELECT pg_sleep(1);');
        const script = `
        const { openDatabase } = await import('./dist/database/open.js');
        const { migrate } = await import('./dist/database/migrations/migrate.js');
        await migrate(await openDatabase(${JSON.stringify({ url })}), ${JSON.stringify(folder)});`;
        const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
        const isRunning = async () => {
          const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%CREATE TABLE slow%' AND pid <> pg_backend_pid() AND state = 'active'`;
          return (await database.read({ text, values: [] })).length > 0;
        };
        while (!(await isRunning())) expect(child.exitCode).toBeNull();
        child.kill('SIGKILL');
        expect(await migrate(database, folder)).toEqual([]);
        expect(await tablesOf(database)).toContainEqual({ name: 'slow' });
      });
    },
  );

  test('a history that a newer gateway made → refused, also by the other commands', async () => {
    await addMigration('29990101000000_from_the_future', 'CREATE TABLE future (id int);');
    await withDatabase((database) => migrate(database, folder));
    const rule = /does not know \(29990101000000_from_the_future\): a newer gateway made them/;
    for (const args of [['migrate'], ['token', 'list'], ['serve']]) await expectRefused(rule, args);
  });

  test('a migration that was edited after it was applied → refused', async () => {
    await command();
    await withDatabase(({ prisma }) => prisma.$executeRaw`UPDATE _prisma_migrations SET checksum = repeat('0', 64)`);
    await expectRefused(/have another text than those of this version \(\d+_init/);
  });

  test('a database of somebody else → refused and left as it is', async () => {
    await withDatabase(({ prisma }) => prisma.$executeRaw`CREATE TABLE customers (id int)`);
    await expectRefused(/has tables, but none of this gateway/);
    expect(await withDatabase(tablesOf)).toEqual([{ name: 'customers' }]);
  });

  test.each([
    ['a column', 'ALTER TABLE events DROP COLUMN environment', /lacks column \S*environment/],
    ['a table', 'DROP TABLE role_user', /lacks table role_user/],
  ])('a database that lacks %s → refused with its name', async (_, sql, rule) => {
    await command();
    await withDatabase(({ prisma }) => prisma.$executeRawUnsafe(sql));
    await expectRefused(rule);
  });
});
