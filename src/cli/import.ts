import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { buildEventIndexes, dropEventIndexes } from '../database/indexes/build-indexes.js';
import type { Database } from '../database/open.js';
import { OperatorError } from '../errors.js';
import { importEvents } from '../log-copy/import.js';
import { createImportStore } from '../log-copy/import.store.js';
import { clearProgress, showProgress } from './progress.js';
import { withDatabase } from './with-database.js';

/** The file to import cannot be read. */
class InputFileError extends OperatorError {}

export function registerImport(program: Command): void {
  program
    .command('import <file>')
    .description('load events in wire form, one JSON object per line, from a file, or from standard input for -')
    .addHelpText(
      'after',
      '\nThe file is imported as a whole or not at all. Events that are already in the log stay unchanged. Times are stored to the millisecond.',
    )
    .action(async (file: string) => {
      const input = file === '-' ? process.stdin : await openFile(file);
      await withDatabase((database) => load(database, input)).finally(clearProgress);
    });
}

/** Some hundred lines. */
const READ_BYTES = 2 ** 18;

/** A first import builds the indexes afterwards, which is several times faster. Nobody searches an empty log meanwhile. */
async function load(database: Database, input: AsyncIterable<Uint8Array>): Promise<void> {
  const isFirst = (await database.read({ text: 'SELECT FROM events LIMIT 1', values: [] })).length === 0;
  if (isFirst) await dropEventIndexes(database);
  try {
    const store = createImportStore(database);
    const { read, added } = await importEvents(store, input, (count) => showProgress(`${count.toLocaleString('en')} events`));
    clearProgress();
    process.stdout.write(`${read} events read, ${added} added, ${read - added} already there\n`);
  } finally {
    if (isFirst) {
      showProgress('building the indexes of the log');
      await buildEventIndexes(database);
    }
  }
}

async function openFile(file: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle.createReadStream({ highWaterMark: READ_BYTES });
    await handle.close();
  } catch {
    // The error below covers every reason.
  }
  throw new InputFileError(`${file} is not a file that can be read.`);
}
