import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import type { TestGateway } from './test-gateway.js';

/** What the database says when it is made to fail; no client may ever see it. */
export const DATABASE_SECRET = 'relation with a secret text in its message';

/** Makes every insert into `table` fail until the returned function is called. */
export async function refuseInserts(
  prisma: PrismaClient,
  table: 'events' | 'public_signup_tokens',
): Promise<() => Promise<void>> {
  await prisma.$executeRawUnsafe(
    `CREATE FUNCTION refuse_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '${DATABASE_SECRET}'; END $$`,
  );
  await prisma.$executeRawUnsafe(
    `CREATE TRIGGER refuse_insert BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_insert()`,
  );
  return async () => {
    await prisma.$executeRawUnsafe('DROP FUNCTION refuse_insert CASCADE');
  };
}

/** What PostgreSQL says when a disk is full; no client may see that either. */
export const NO_ROOM = 'could not extend file';

/** Makes every insert and update fail as where the disk is full: a stand-in, at the border of the driver, for a disk that is. */
export async function takeRoom({ prisma }: Pick<TestGateway, 'prisma'>): Promise<() => Promise<void>> {
  await prisma.$executeRawUnsafe(`
    CREATE FUNCTION take_room() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '${NO_ROOM} "base/16384/16397": No space left on device' USING ERRCODE = 'disk_full'; END $$`);
  await prisma.$executeRawUnsafe(`
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('CREATE TRIGGER take_room BEFORE INSERT OR UPDATE ON %I FOR EACH ROW EXECUTE FUNCTION take_room()', name);
      END LOOP;
    END $$`);
  return async () => {
    await prisma.$executeRawUnsafe('DROP FUNCTION IF EXISTS take_room CASCADE');
  };
}

/** Makes the database refuse to write, for the gateway's connections too. */
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
    // It holds for sessions that begin after it. The gateway notices that its own have ended, and then that there are new ones.
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    while (!isUnavailable()) await setImmediate();
    while (isUnavailable()) await setImmediate();
  } finally {
    await client.end();
  }
}
