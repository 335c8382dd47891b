import { traceQuery } from '../telemetry/tracing.js';
import type { Database } from './open.js';
import type { Query, Read, ReadOptions } from './read.js';

/** Returns the same database with a trace span for each query and for each operation of Prisma. */
export async function traceDatabase(database: Database): Promise<Database> {
  // The module is loaded on demand, so that a gateway without tracing starts faster and needs less memory.
  const { PrismaInstrumentation } = await import('@prisma/instrumentation');
  new PrismaInstrumentation().enable();
  return { ...database, read: traceRead(database.read) };
}

export function traceRead(read: Read): Read {
  return <Row extends object>(query: Query, options?: ReadOptions) => traceQuery(query.text, () => read<Row>(query, options));
}
