import { CommanderError } from 'commander';
import { explainToOperator } from '../database/operator-message.js';
import { OperatorError } from '../errors.js';
import { toPrintable } from '../formats/text.js';

/** Says what is wrong with the command line. */
export class UsageError extends OperatorError {}

const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Writes the reason of a failed command to stderr. Sets the exit code to 2 for wrong usage, and to 1 for any other failure.
 * database/operator-message.ts has the sentences about errors of the database.
 */
export function reportFailure(error: unknown): void {
  if (error instanceof CommanderError) {
    // Commander has written the message. It also throws this error after --help and --version, with the code 0.
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
    return;
  }
  process.exitCode = error instanceof UsageError ? WRONG_USAGE : FAILED;
  process.stderr.write(`${toPrintable(explain(error))}\n`);
}

function explain(error: unknown): string {
  const sentence = explainToOperator(error);
  if (sentence !== null) return sentence;
  // The operating system's message names the reason, such as a full disk.
  const { syscall, message } = error as { syscall?: string; message?: string };
  if (syscall !== undefined && message !== undefined) return message;
  return explainUnexpected(error);
}

/** Explains an unexpected error. Its stack is shown on request only, because it is of use only in a report of a defect. */
function explainUnexpected(error: unknown): string {
  const { message = String(error), stack } = error as Partial<Error>;
  const details = ['debug', 'trace'].includes(process.env['LOG_LEVEL'] ?? '') && stack !== undefined ? `\n${stack}` : '';
  const [firstLine] = message.trim().split('\n');
  return `The command failed unexpectedly: ${firstLine}. Run it with LOG_LEVEL=debug to see where, and report this as a defect.${details}`;
}
