import { buildEventIndexes, dropEventIndexes } from '../database/indexes/build-indexes.js';
import type { Database } from '../database/open.js';
import { createImportStore } from './import.store.js';
import { NotImportableError } from './import-error.js';
import { type ImportResult, importEvents } from './import-events.js';

interface Progress {
  /** Called after each batch, with the number of events read so far. */
  readonly onEvents?: (read: number) => void;
  /** Called once all events are in the log. */
  readonly onImported?: (result: ImportResult) => void;
  /** Called before the indexes are built, which happens only after an import into an empty log. */
  readonly onIndexes?: () => void;
}

/**
 * Imports a file of events (`importEvents`). An import into an empty log drops the indexes and builds them afterwards, which is
 * several times faster. The log is slow to search until the build has ended (docs/decisions/011-indexes-and-imports.md).
 * @throws NotImportableError if the log is a copy of an Unleash server's log
 */
export async function importLog(
  database: Database,
  file: AsyncIterable<Uint8Array>,
  { onEvents = () => undefined, onImported, onIndexes }: Progress = {},
): Promise<void> {
  const store = createImportStore(database);
  const source = await store.findMirrorSource();
  if (source !== null) {
    throw new NotImportableError(
      `This database is a copy of the log of ${source}, to which only mirror adds events. Import the file into another database.`,
    );
  }
  const isFirst = await store.isLogEmpty();
  if (isFirst) await dropEventIndexes(database);
  const build = async () => {
    if (!isFirst) return;
    onIndexes?.();
    await buildEventIndexes(database);
  };
  try {
    const result = await importEvents(store, file, onEvents);
    onImported?.(result);
  } catch (error) {
    // Throws the error of the import rather than that of the build, because a gateway builds missing indexes when it starts.
    await build().catch(() => undefined);
    throw error;
  }
  await build();
}
