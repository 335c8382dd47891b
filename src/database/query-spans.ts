import { traceQuery } from '../telemetry/tracing.js';
import type { Database } from './open.js';
import type { Query, Read } from './read.js';

/** The same database, each of whose queries is a span; so is each operation of Prisma. */
export async function traceDatabase(database: Database): Promise<Database> {
  // What is not used is not loaded.
  const { PrismaInstrumentation } = await import('@prisma/instrumentation');
  new PrismaInstrumentation().enable();
  return { ...database, read: traceRead(database.read) };
}

export function traceRead(read: Read): Read {
  return <Row extends object>(query: Query, kind?: 'prepared', signal?: AbortSignal) =>
    traceQuery(query.text, () => read<Row>(query, kind, signal));
}
