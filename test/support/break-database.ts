import type { PrismaClient } from '../../src/generated/prisma/client.js';

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
