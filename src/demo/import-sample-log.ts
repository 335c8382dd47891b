import { Readable } from 'node:stream';
import type { Database } from '../database/open.js';
import { createImportStore } from '../log-copy/import.store.js';
import { importLog } from '../log-copy/import-log.js';
import { generateSampleLog } from './sample-log.js';

/** Imports the sample log unless the log has events. */
export async function importSampleLog(database: Database): Promise<void> {
  if (!(await createImportStore(database).isLogEmpty())) return;
  const lines = generateSampleLog(new Date()).map((event) => `${JSON.stringify(event)}\n`);
  await importLog(database, Readable.from([Buffer.from(lines.join(''))]));
}
