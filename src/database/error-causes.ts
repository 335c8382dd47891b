import { isNativeError } from 'node:util/types';
import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { GatewayError } from '../errors.js';
import { Prisma } from '../generated/prisma/client.js';
import { QUEUE_FULL } from './pool.js';

/**
 * Prisma's codes for a server that is unreachable, is too slow, closed the connection or has no room for a transaction. The last
 * two codes can occur when a signup token is created while an import ends. P2002: the import took the id of the token's event.
 * P2034: PostgreSQL aborted the creation in favor of the import.
 */
const UNAVAILABLE_CODES: ReadonlySet<string> = new Set('P1001 P1002 P1008 P1017 P2024 P2028 P2037 P2002 P2034'.split(' '));

/**
 * Matches the SQLSTATEs of a lost connection (08), lack of resources (53), an operator's action (57), a lock timeout (55P03), a
 * deadlock (40P01), and a missing database (3D000). A database is missing for a moment while a copy is renamed into its place.
 */
const UNAVAILABLE_SQLSTATE = /^(08|53|57|55P03|40P01|3D000)/;

/** The SQLSTATE of a statement that PostgreSQL canceled, after its time limit or on request. */
const CANCELED = '57014';

const TOO_MANY_CONNECTIONS = '53300';

/** The SQLSTATE of a statement for which the role lacks a grant. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** The SQLSTATE of a sequence that has no next value. */
export const SEQUENCE_EXHAUSTED = '2200H';

/** The SQLSTATEs of a read-only server (a standby, or by configuration) and of a full disk. */
const UNWRITABLE: ReadonlySet<string> = new Set(['25006', '53100']);

/** The operating system's codes for a host that is not found, does not respond, or refused or closed the connection. */
const UNAVAILABLE_ERRNO: ReadonlySet<string> = new Set(
  'ECONNREFUSED ECONNRESET EAI_AGAIN EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT'.split(' '),
);

/** The kinds of errors of Prisma's driver adapter that mean a failed connection. Most of these errors have no code. */
const UNAVAILABLE_KINDS: ReadonlySet<string> = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
]);

/** Matches the messages of errors that have no code, from `pg` and from client.ts. */
const UNAVAILABLE_MESSAGE =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|not queryable|ECONNREFUSED/;

export function databaseUnavailable(cause?: unknown): GatewayError {
  return new GatewayError('ServiceUnavailableError', 'The database is unavailable. Try again in a few seconds.', { cause });
}

/** Whether the database is read-only, or its disk is full. */
export function isUnwritable(cause: unknown): boolean {
  return UNWRITABLE.has(codeOf(cause));
}

/** Whether PostgreSQL rejected a statement for a missing grant. */
export function lacksPrivilege(cause: unknown): boolean {
  return codeOf(cause) === INSUFFICIENT_PRIVILEGE;
}

/** Whether PostgreSQL has no room for another connection. It still serves the existing ones. */
export function hasNoRoom(cause: unknown): boolean {
  return codeOf(cause) === TOO_MANY_CONNECTIONS;
}

/** Whether PostgreSQL canceled a statement, after its time limit or on request. */
export function isCanceled(cause: unknown): boolean {
  return codeOf(cause) === CANCELED;
}

/** Whether an error means that a server is unavailable. False for a statement that the server canceled. */
export function isUnreachable(cause: unknown): boolean {
  return isUnavailable(cause) && !isCanceled(cause);
}

export function isUnavailable(cause: unknown): boolean {
  if (!isNativeError(cause)) return false;
  if (cause instanceof Prisma.PrismaClientInitializationError) return true;
  if (cause instanceof Prisma.PrismaClientKnownRequestError && UNAVAILABLE_CODES.has(cause.code)) return true;
  // Node.js tries each address of a host, and reports all failures.
  if (cause instanceof AggregateError) return cause.errors.some(isUnavailable);
  const code = codeOf(cause);
  if (UNAVAILABLE_KINDS.has(adapterErrorOf(cause)?.kind ?? '')) return true;
  if (code === QUEUE_FULL) return true;
  return UNAVAILABLE_ERRNO.has(code) || UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_MESSAGE.test(cause.message);
}

/** Returns the operating system's code or the SQLSTATE of an error of the driver or of Prisma. */
export function codeOf(cause: unknown): string {
  const sqlState = isNativeError(cause) ? adapterErrorOf(cause)?.originalCode : undefined;
  return sqlState ?? (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
}

/** Returns the message of PostgreSQL or the driver, or the last line of Prisma's own message, whose other lines show the call. */
export function messageOf(cause: unknown): string {
  if (!isNativeError(cause)) return String(cause);
  const { originalMessage } = adapterErrorOf(cause) ?? {};
  if (originalMessage !== undefined) return originalMessage;
  // Node.js tries each address of a host, and reports all failures in one error without a message.
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join('; ');
  return cause.message.trim().split('\n').at(-1) ?? '';
}

/** The fields of a driver adapter error: its kind, and the SQLSTATE and the message if PostgreSQL sent them. */
interface AdapterError {
  readonly kind?: string;
  readonly originalCode?: string;
  readonly originalMessage?: string;
}

/** Returns the driver adapter's error from an error of Prisma. In a transaction, Prisma throws the adapter's error itself. */
function adapterErrorOf(cause: Error): AdapterError | undefined {
  if (isDriverAdapterError(cause)) return cause.cause;
  if (!(cause instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const { driverAdapterError } = (cause.meta ?? {}) as { driverAdapterError?: { cause?: AdapterError } };
  return driverAdapterError?.cause;
}
