import type pg from 'pg';
import { OperatorError } from '../errors.js';
import { toConnectError } from './connect-error.js';

/** Says that the text encoding of a database cannot store every event. */
export class EncodingError extends OperatorError {}

/**
 * An SQL expression that identifies the run of the server. A restart or a crash ends a run. After the crash of one of its
 * processes, PostgreSQL keeps its start time, but removes the row that `gateway_run()` reads. Each query then gets another random
 * value, so nothing is cached. The next time that a gateway publishes an id (log-version/totals.ts), the database adds a new row
 * (docs/decisions/029-identity-of-the-log.md).
 */
export const PRIMARY_RUN = `extract(epoch FROM pg_postmaster_start_time()) || '/' || coalesce(gateway_run(), gen_random_uuid()::text)`;

const SERVER = `
  SELECT current_schema() AS schema, quote_ident(current_database()) AS database, current_setting('server_encoding') AS encoding`;

/**
 * Makes the first connection to the server.
 * @returns the schema for Prisma, which puts it before each table name and would otherwise assume `public`
 * @throws ConnectError, or EncodingError for an encoding other than UTF8
 */
export async function inspectServer(pool: pg.Pool, url: string): Promise<{ readonly schema: string }> {
  const { rows } = await pool
    .query<{ schema: string | null; database: string; encoding: string }>(SERVER)
    .catch((cause: unknown) => Promise.reject(toConnectError(cause, url, 'DATABASE_URL')));
  const [{ schema, database, encoding } = { schema: null, database: '', encoding: '' }] = rows;
  if (encoding !== 'UTF8') {
    throw new EncodingError(
      `The database ${database} has the encoding ${encoding}, and events can contain characters outside of it. Create a database in UTF-8 and name it ` +
        `in DATABASE_URL: CREATE DATABASE flag_admin_gateway ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`,
    );
  }
  return { schema: schema ?? 'public' };
}
