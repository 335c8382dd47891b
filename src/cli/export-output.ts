import { type FileHandle, open } from 'node:fs/promises';
import { OperatorError } from '../errors.js';

/** Says why the output file cannot be opened. */
class OutputFileError extends OperatorError {}

/** The destination of an export. */
export interface ExportOutput {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a new file, or with `isContinued` the existing file that the export continues. */
export async function openOutputFile(file: string, isContinued: boolean): Promise<ExportOutput> {
  const handle = await openFile(file, isContinued);
  let { size } = await handle.stat();
  return {
    async write(text) {
      const bytes = Buffer.from(text);
      // A full disk may take only a part of the text. That part is removed, so that the file ends with the last complete write.
      await handle.appendFile(bytes).catch(async (error: unknown) => {
        await handle.truncate(size).catch(() => undefined);
        throw error;
      });
      size += bytes.length;
    },
    close: () => handle.close(),
  };
}

async function openFile(file: string, isContinued: boolean): Promise<FileHandle> {
  try {
    // Fails if the file to continue does not exist, because a new file would lack the beginning of the export.
    if (isContinued) await (await open(file, 'r')).close();
    return await open(file, isContinued ? 'a' : 'ax');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new OutputFileError(`The file ${file} exists already. Name a new file, or continue it with --after and --up-to.`);
    if (code === 'ENOENT' && isContinued) throw new OutputFileError(`The file ${file} to continue does not exist.`);
    throw new OutputFileError(`The file ${file} cannot be written: ${message}.`);
  }
}
