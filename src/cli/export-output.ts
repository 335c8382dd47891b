import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { OperatorError } from '../errors.js';
import type { ExportRequest } from '../log-export/export-log.js';
import { cutAfterLastRecord } from './continued-file.js';

/** Says why the output file cannot be opened. */
class OutputFileError extends OperatorError {}

/** The destination of an export. */
export interface ExportOutput {
  write(text: string): Promise<void>;
  /** Removes a new file, because no event was written. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a new file, or the existing file that an export with `after` and `upTo` continues. */
export async function openOutputFile(file: string, request: ExportRequest): Promise<ExportOutput> {
  const isContinued = request.after !== null && request.upTo !== null;
  const handle = await openFile(file, isContinued);
  try {
    if (isContinued) await cutAfterLastRecord(handle, file, request);
    return toOutput(handle, isContinued ? null : file, (await handle.stat()).size);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @param newFile the path of a new file; null for a file that existed */
function toOutput(handle: FileHandle, newFile: string | null, bytesBefore: number): ExportOutput {
  let size = bytesBefore;
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
    async discard() {
      if (newFile !== null) await unlink(newFile).catch(() => undefined);
    },
    close: () => handle.close(),
  };
}

async function openFile(file: string, isContinued: boolean): Promise<FileHandle> {
  try {
    // Fails if the file to continue does not exist, because a new file would lack the beginning of the export.
    return await open(file, isContinued ? constants.O_RDWR | constants.O_APPEND : 'ax');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new OutputFileError(`The file ${file} exists already. Name a new file, or continue it with --after and --up-to.`);
    if (code === 'ENOENT' && isContinued) throw new OutputFileError(`The file ${file} to continue does not exist.`);
    throw new OutputFileError(`The file ${file} cannot be written: ${message}.`);
  }
}
