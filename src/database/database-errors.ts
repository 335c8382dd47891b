import { isNativeError } from 'node:util/types';
import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { GatewayError } from '../errors.js';
import { Prisma, type PrismaClient } from '../generated/prisma/client.js';
import type { Read } from './read.js';

/**
 * Prisma's codes for a server that is not reached, not in time, or that ended the connection, for one with no room for a transaction, and for
 * what a creation meets at the end of a running import: its id is taken (P2002), or it was stopped to let the import end (P2034).
 */
const UNAVAILABLE_CODES: ReadonlySet<string> = new Set([
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2037',
  'P2002',
  'P2034',
]);

/** PostgreSQL's classes for a lost connection (08), no resources (53), an operator's doing such as a shutdown (57), and a lock held for long. */
const UNAVAILABLE_SQLSTATE = /^(08|53|57|55P03)/;

/** PostgreSQL ended a statement after its time, or an operator did. */
const CANCELED = '57014';

const TOO_MANY_CONNECTIONS = '53300';

/** The role may not do that. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** The server only reads (a standby, or one that was told so), or its disk is full. */
const UNWRITABLE: ReadonlySet<string> = new Set(['25006', '53100']);

/** The system's codes for a host that is not found or reached, or that went away. */
const UNAVAILABLE_ERRNO: ReadonlySet<string> = new Set(
  'ECONNREFUSED ECONNRESET EAI_AGAIN EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT'.split(' '),
);

/** What Prisma's driver adapter makes of such errors, without a code. */
const UNAVAILABLE_KINDS: ReadonlySet<string> = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
]);

/** What `pg` says without a code. */
const UNAVAILABLE_MESSAGE =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|not queryable|ECONNREFUSED/;

/** What a client is told of an error that is not its own: that the database is away, or nothing at all. The cause is for the log. */
export function toDatabaseError(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  if (isCanceled(cause)) {
    return new GatewayError(
      'ServiceUnavailableError',
      'The database took longer than a query may take here. A free text with three letters or digits in a row, a flag, a project or a range of days lets it find events faster.',
      { cause },
    );
  }
  if (lacksPrivilege(cause) || isUnwritable(cause)) {
    return new GatewayError(
      'ServiceUnavailableError',
      'The database does not let the gateway do this: its role lacks a grant, its disk is full, or it only reads. Whoever runs the gateway can change that.',
      { cause },
    );
  }
  if (isUnavailable(cause)) return databaseUnavailable(cause);
  return new GatewayError('InternalError', 'Something went wrong in the gateway. Give the id of this error to whoever runs it.', {
    cause,
  });
}

export function databaseUnavailable(cause?: unknown): GatewayError {
  return new GatewayError('ServiceUnavailableError', 'The database does not answer now. Try again in a few seconds.', { cause });
}

/** Whether the database only reads now, or has no room. */
export function isUnwritable(cause: unknown): boolean {
  return UNWRITABLE.has(codeOf(cause));
}

/** Whether PostgreSQL refused what the role may not do. */
export function lacksPrivilege(cause: unknown): boolean {
  return codeOf(cause) === INSUFFICIENT_PRIVILEGE;
}

/** Whether PostgreSQL has as many connections as it may have; those who have one are served. */
export function hasNoRoom(cause: unknown): boolean {
  return codeOf(cause) === TOO_MANY_CONNECTIONS;
}

/** Whether PostgreSQL ended a statement: after its time, or because somebody asked it to. */
export function isCanceled(cause: unknown): boolean {
  return codeOf(cause) === CANCELED;
}

export async function isDatabaseReady(prisma: PrismaClient): Promise<boolean> {
  return prisma.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
}

/** After how long PostgreSQL ends a statement of this connection; 0 for never. */
export async function readStatementTimeoutMs(read: Read): Promise<number> {
  const [row] = await read<{ ms: number }>({
    text: `SELECT setting::int AS ms FROM pg_settings WHERE name = 'statement_timeout'`,
    values: [],
  });
  return row?.ms ?? 0;
}

/** Whether the database's locale knows capitals outside of ASCII; with `C` it does not, and free text is then matched by their case. */
export async function foldsCase(read: Read): Promise<boolean> {
  const [row] = await read<{ folds: boolean }>({ text: `SELECT 'É' ILIKE 'é' AS folds`, values: [] });
  return row?.folds ?? false;
}

/** Whether an error tells that a server is away, and not that it gave a query up after its time. */
export function isUnreachable(cause: unknown): boolean {
  return isUnavailable(cause) && !isCanceled(cause);
}

function isUnavailable(cause: unknown): boolean {
  if (!isNativeError(cause)) return false;
  if (cause instanceof Prisma.PrismaClientInitializationError) return true;
  if (cause instanceof Prisma.PrismaClientKnownRequestError && UNAVAILABLE_CODES.has(cause.code)) return true;
  // Node tries each address of a host, and gives every failure.
  if (cause instanceof AggregateError) return cause.errors.some(isUnavailable);
  const code = codeOf(cause);
  if (UNAVAILABLE_KINDS.has(adapterErrorOf(cause)?.kind ?? '')) return true;
  return UNAVAILABLE_ERRNO.has(code) || UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_MESSAGE.test(cause.message);
}

/** The system's code or the SQLSTATE of an error, of the driver's or of Prisma's. */
function codeOf(cause: unknown): string {
  const sqlState = isNativeError(cause) ? adapterErrorOf(cause)?.originalCode : undefined;
  return sqlState ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
}

/** What the driver adapter says of an error: the SQLSTATE where PostgreSQL sent one, and what kind it is. */
interface AdapterError {
  readonly kind?: string;
  readonly originalCode?: string;
}

/** Where Prisma keeps it; an error of a transaction comes as it is. */
function adapterErrorOf(cause: Error): AdapterError | undefined {
  if (isDriverAdapterError(cause)) return cause.cause;
  if (!(cause instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const { driverAdapterError } = (cause.meta ?? {}) as { driverAdapterError?: { cause?: AdapterError } };
  return driverAdapterError?.cause;
}
