import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import type { TestGateway } from './test-gateway.js';

/** The message of an error that tests cause in the database. No client may ever see it. */
export const DATABASE_SECRET = 'relation with a secret text in its message';

/** Makes every insert into `table` fail until the returned function is called. */
export async function failInserts(prisma: PrismaClient, table: 'events' | 'public_signup_tokens'): Promise<() => Promise<void>> {
  await prisma.$executeRawUnsafe(
    `CREATE FUNCTION fail_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '${DATABASE_SECRET}'; END $$`,
  );
  await prisma.$executeRawUnsafe(
    `CREATE TRIGGER fail_insert BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fail_insert()`,
  );
  return async () => {
    await prisma.$executeRawUnsafe('DROP FUNCTION fail_insert CASCADE');
  };
}

/** A part of PostgreSQL's message for a full disk. No client may see it either. */
export const DISK_FULL = 'could not extend file';

/** Makes every insert and update fail like on a full disk until the returned function is called. Triggers raise the error. */
export async function fillDisk({ prisma }: Pick<TestGateway, 'prisma'>): Promise<() => Promise<void>> {
  await prisma.$executeRawUnsafe(`
    CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '${DISK_FULL} "base/16384/16397": No space left on device' USING ERRCODE = 'disk_full'; END $$`);
  await prisma.$executeRawUnsafe(`
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('CREATE TRIGGER fill_disk BEFORE INSERT OR UPDATE ON %I FOR EACH ROW EXECUTE FUNCTION fill_disk()', name);
      END LOOP;
    END $$`);
  return async () => {
    await prisma.$executeRawUnsafe('DROP FUNCTION IF EXISTS fill_disk CASCADE');
  };
}

/** Makes the database read-only, also for the gateway's connections, until the returned function is called. */
export async function makeReadOnly({ database, databaseEnv }: Pick<TestGateway, 'database' | 'databaseEnv'>) {
  const set = (value: 'on' | 'off') => setReadOnly(database, databaseEnv['DATABASE_URL'], value);
  await set('on');
  return () => set('off');
}

async function setReadOnly({ prisma, isUnavailable }: TestGateway['database'], url: string | undefined, value: 'on' | 'off') {
  if (url === undefined) {
    // The embedded database has one session.
    await prisma.$executeRawUnsafe(`SET default_transaction_read_only = ${value}`);
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET default_transaction_read_only = off');
    const name = client.escapeIdentifier(client.database ?? '');
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    // The setting applies to new sessions only, so the others are terminated. The gateway notices this, and then connects again.
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    while (!isUnavailable()) await setImmediate();
    while (isUnavailable()) await setImmediate();
  } finally {
    await client.end();
  }
}
