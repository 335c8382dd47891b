import { GatewayError } from '../errors.js';
import { Prisma, type PrismaClient } from '../generated/prisma/client.js';

/** Prisma's codes for a server that is not reached, not in time, or that ended the connection. */
const AWAY_CODES: ReadonlySet<string> = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);

/** PostgreSQL's classes for a lost connection (08), no resources (53), and an operator's doing such as a shutdown (57). */
const AWAY_SQLSTATE = /^(08|53|57)/;

const AWAY_MESSAGE =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded when trying to connect/;

/** What a client is told of an error that is not its own: that the database is away, or nothing at all. The cause is for the log. */
export function toDatabaseError(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  if (isAway(cause)) {
    return new GatewayError('ServiceUnavailableError', 'The database does not answer now. Try again in a few seconds.', {
      cause,
    });
  }
  return new GatewayError('InternalError', 'Something went wrong in the gateway. Give the id of this error to whoever runs it.', {
    cause,
  });
}

export async function isDatabaseReady(prisma: PrismaClient): Promise<boolean> {
  return prisma.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
}

function isAway(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if (cause instanceof Prisma.PrismaClientInitializationError) return true;
  if (cause instanceof Prisma.PrismaClientKnownRequestError)
    return AWAY_CODES.has(cause.code) || AWAY_SQLSTATE.test(sqlStateOf(cause));
  return AWAY_MESSAGE.test(cause.message);
}

/** Where Prisma keeps the SQLSTATE of an error of the driver adapter. */
function sqlStateOf({ meta }: Prisma.PrismaClientKnownRequestError): string {
  const { driverAdapterError } = (meta ?? {}) as { driverAdapterError?: { cause?: { originalCode?: string } } };
  return driverAdapterError?.cause?.originalCode ?? '';
}
