import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { Database } from '../database/open.js';
import { OperatorError } from '../errors.js';
import type { ImportResult } from '../log-copy/import-events.js';
import { importLog } from '../log-copy/import-log.js';
import { clearProgress, showProgress } from './progress.js';
import { withDatabase } from './with-database.js';

const HELP = `
The format is detected by the content of the file, not by its name. Each format can also be compressed by gzip.
  {"id":1,…}             one event per line (NDJSON)
  [{"id":1,…},…]         a JSON array
  {"events":[…]}         a response of the REST API, with any other fields, or several of them one after another

The file is imported as a whole or not at all. Events that are already in the log stay unchanged. Times are stored to the millisecond.`;

/** Says why the file to import cannot be read. */
class InputFileError extends OperatorError {}

export function registerImport(program: Command): void {
  program
    .command('import <file>')
    .description('import events from a JSON file, or from standard input if <file> is -')
    .addHelpText('after', HELP)
    .action(async (file: string) => {
      const input = file === '-' ? { stream: process.stdin, size: null } : await openFile(file);
      try {
        await withDatabase((database) => load(database, input)).finally(clearProgress);
      } finally {
        // After an error in the file, the rest of standard input must not keep the process alive.
        input.stream.destroy();
      }
    });
}

interface Input {
  readonly stream: Readable & { readonly bytesRead?: number };
  /** The size of the file in bytes; null if it is not known. */
  readonly size: number | null;
}

/** The size in bytes of the chunks that are read from the file. A chunk has several hundred events. */
const READ_BYTES = 2 ** 18;

async function load(database: Database, input: Input): Promise<void> {
  await importLog(database, input.stream, {
    onEvents: (read) => showImported(read, input),
    onImported(result) {
      clearProgress();
      report(result);
    },
    onIndexes: () => showProgress('building the indexes of the log'),
  });
}

function showImported(events: number, { stream, size }: Input): void {
  const percent = size && stream.bytesRead !== undefined ? `, ${Math.floor((100 * stream.bytesRead) / size)} % of the file` : '';
  showProgress(`${events.toLocaleString('en')} events${percent}`);
}

function report({ read, added, total }: ImportResult): void {
  process.stdout.write(`${read} events read, ${added} added, ${read - added} already there\n`);
  if (total !== null && read < total)
    process.stderr.write(
      `The file has ${read} of ${total} events: it is one page of a longer result. Import the other pages too, or copy the log with the command mirror.\n`,
    );
}

/** Opens a file, which may be a named pipe such as that of the shell's `<(…)`. */
async function openFile(file: string): Promise<Input> {
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new InputFileError(`The file ${file} does not exist.`);
    if (code === 'EACCES') throw new InputFileError(`The file ${file} cannot be read: you lack the permission.`);
    throw new InputFileError(`The file ${file} cannot be read: ${(error as Error).message}.`);
  }
  const stat = await handle.stat();
  if (stat.isDirectory()) {
    await handle.close();
    throw new InputFileError(`${file} is a folder. Name a file.`);
  }
  return { stream: handle.createReadStream({ highWaterMark: READ_BYTES }), size: stat.isFile() ? stat.size : null };
}
