import { fstatSync, writeSync } from 'node:fs';
import { OperatorError } from '../errors.js';
import type { ExportOutput } from './export-output.js';
import { reportFailure } from './report-failure.js';

/** Says why standard output cannot be written. */
class StandardOutputError extends OperatorError {
  constructor({ code, message }: NodeJS.ErrnoException) {
    super(
      code === 'EPIPE'
        ? 'The reader of standard output has ended (EPIPE), perhaps before it had read everything.'
        : `Standard output cannot be written: ${message}.`,
    );
  }
}

let reportsOwnErrors = false;

/**
 * Standard output, for a command that must know what was written. A write ends once the operating system has all bytes.
 * @throws StandardOutputError from `write`, if the reader of a pipe has ended, or a disk is full
 */
export const STANDARD_OUTPUT: ExportOutput = {
  async write(text) {
    reportsOwnErrors = true;
    try {
      await writeWhole(Buffer.from(text));
    } catch (error) {
      throw new StandardOutputError(error as NodeJS.ErrnoException);
    }
  },
  discard: async () => undefined,
  close: async () => undefined,
};

async function writeWhole(bytes: Buffer): Promise<void> {
  // The stream has no descriptor if a test replaces it.
  const { fd } = process.stdout as { fd?: number };
  if (fd !== undefined && fstatSync(fd).isFile()) {
    // The stream would call `write` once for all bytes. A full disk may take a part of them, and only the next call then fails.
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Ends the process if its output cannot be written. A reader such as `head` may close the pipe before the end of the output,
 * which is no failure. A command that writes to `STANDARD_OUTPUT` reports the error itself.
 */
export function endOnOutputError(error: NodeJS.ErrnoException): void {
  if (reportsOwnErrors) return;
  if (error.code === 'EPIPE') process.exit(0);
  reportFailure(new StandardOutputError(error));
  process.exit();
}
