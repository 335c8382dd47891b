import { buildEventIndexes, dropEventIndexes } from '../database/indexes/build-indexes.js';
import type { Database } from '../database/open.js';
import { type ImportResult, importEvents } from './import.js';
import { createImportStore } from './import.store.js';

interface Progress {
  /** Called after each batch, with the number of events read so far. */
  readonly onEvents?: (read: number) => void;
  readonly onIndexes?: () => void;
}

/**
 * Imports a file of events (`importEvents`). A first import builds the indexes afterwards, which is several times faster. Nobody
 * searches an empty log meanwhile.
 */
export async function importLog(
  database: Database,
  file: AsyncIterable<Uint8Array>,
  { onEvents = () => undefined, onIndexes }: Progress = {},
): Promise<ImportResult> {
  const store = createImportStore(database);
  const isFirst = await store.isLogEmpty();
  if (isFirst) await dropEventIndexes(database);
  try {
    return await importEvents(store, file, onEvents);
  } finally {
    if (isFirst) {
      onIndexes?.();
      await buildEventIndexes(database);
    }
  }
}
