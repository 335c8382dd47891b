import type { PrismaClient } from '../generated/prisma/client.js';
import type { Read } from './read.js';

export async function isDatabaseReady(prisma: PrismaClient): Promise<boolean> {
  return prisma.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
}

/** Reads the time after which PostgreSQL cancels a statement of this connection; 0 for no limit. */
export async function readStatementTimeoutMs(read: Read): Promise<number> {
  const [row] = await read<{ ms: number }>({
    text: `SELECT setting::int AS ms FROM pg_settings WHERE name = 'statement_timeout'`,
    values: [],
  });
  return row?.ms ?? 0;
}

/** Whether the database's locale folds case beyond ASCII. The locale `C` does not, so free-text searches distinguish É and é. */
export async function foldsCase(read: Read): Promise<boolean> {
  const [row] = await read<{ folds: boolean }>({ text: `SELECT 'É' ILIKE 'é' AS folds`, values: [] });
  return row?.folds ?? false;
}
