import { readFile, rename, writeFile } from 'node:fs/promises';
import { OperatorError } from '../errors.js';

/** Says why the file of the cursor cannot be used. */
class CursorFileError extends OperatorError {}

/** The characters of a cursor, which is base64url. */
export const CURSOR = /^[\w-]+$/;

/** Keeps the cursor of a reader of the feed in a file. */
export function createCursorFile(path: string) {
  return {
    /** Returns the cursor, or null if there is no file yet. */
    async read(): Promise<string | null> {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw new CursorFileError(`The file ${path} cannot be read (${error.code}). Correct its path or its access rights.`);
      });
      const cursor = text?.trim() ?? null;
      if (cursor !== null && !CURSOR.test(cursor))
        throw new CursorFileError(
          `The file ${path} does not contain a cursor. Name another file with --state, or remove it to start again.`,
        );
      return cursor;
    },

    /** Replaces the file as a whole, so that a crash leaves the former cursor or the new one. */
    async write(cursor: string): Promise<void> {
      const next = `${path}.next`;
      try {
        await writeFile(next, `${cursor}\n`);
        await rename(next, path);
      } catch (error) {
        throw new CursorFileError(`The file ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
      }
    },
  };
}
