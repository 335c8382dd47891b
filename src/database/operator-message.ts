import { GatewayError, OperatorError } from '../errors.js';
import { codeOf, isUnreachable, messageOf } from './error-causes.js';

const DAMAGED = 'A file of the database is damaged or missing. Restore the database from a backup.';

/** The sentences about a statement that failed, by SQLSTATE. */
const SENTENCES: Readonly<Record<string, (message: string) => string>> = {
  '25006': () =>
    'The database is read-only: it is a standby, or its settings forbid changes. Name the primary server in DATABASE_URL.',
  '3F000': () =>
    'The role in DATABASE_URL can use no existing schema of the search path. Create one, or correct search_path in DATABASE_URL.',
  '40P01': () => 'The command and another process each waited for a lock of the other. Run the command again.',
  '42501': (message) =>
    `The database rejected the command: ${message}. Name a role in DATABASE_URL that has the right, such as the owner of the tables.`,
  '53100': () => 'The disk of the database is full. Free some space on it.',
  '55P03': () => 'Another process holds a lock on a table of the database. Try again after it has finished.',
  '57014': () => 'The database canceled a statement after its time limit. Raise statement_timeout of the role in DATABASE_URL.',
  '58030': () => DAMAGED,
  '58P01': () => DAMAGED,
  XX001: () => DAMAGED,
  XX002: () => DAMAGED,
};

const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Explains an error to the operator, without SQL or stack. Returns null unless the error is an `OperatorError`, a `GatewayError`,
 * or an error of the database or its connection.
 */
export function explainToOperator(error: unknown): string | null {
  if (error instanceof OperatorError || error instanceof GatewayError) return error.message;
  const code = codeOf(error);
  const sentence = SENTENCES[code];
  const message = messageOf(error);
  if (sentence) return sentence(message);
  if (isUnreachable(error)) return `The connection to the database failed: ${message}. Try again once the database is available.`;
  // PostgreSQL's own message names the reason.
  return SQLSTATE.test(code) ? `The database rejected the command: ${message} (SQLSTATE ${code})` : null;
}
