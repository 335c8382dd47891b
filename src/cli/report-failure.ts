import { lacksPrivilege, toDatabaseError } from '../database/database-errors.js';
import { GatewayError, OperatorError } from '../errors.js';

/** A mistake that the person who typed the command can correct. */
export class UsageError extends OperatorError {}

/** Writes the reason of a failed command to stderr and sets the exit code to 1. */
export function reportFailure(error: unknown): void {
  process.exitCode = 1;
  process.stderr.write(`${explain(error)}\n`);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError || error instanceof GatewayError) return error.message;
  const { syscall, severity } = error as { syscall?: string; severity?: string };
  if (lacksPrivilege(error))
    return `The database rejected the command: ${error.message}. Name a role in DATABASE_URL that has the right, such as the owner of the tables.`;
  if (toDatabaseError(error).name === 'ServiceUnavailableError')
    return `The database that DATABASE_URL names cannot be reached: ${reasonOf(error)}`;
  // PostgreSQL's message names the reason: a wrong password, a missing database, no right to create a table.
  if (severity !== undefined) return `The database rejected the command: ${error.message}`;
  // The operating system's message names the reason: no right to write to DATA_DIR, no space left.
  if (syscall !== undefined) return error.message;
  return error.stack ?? error.message;
}

/** Node.js tries each address of a host and lists the reasons of the failures in an AggregateError with an empty message. */
function reasonOf(error: Error): string {
  const reasons = error instanceof AggregateError ? error.errors.map(String) : [error.message];
  return reasons.join('; ');
}
