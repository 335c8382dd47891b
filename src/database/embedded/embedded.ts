import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { makeFolder, rejectWithoutVersion, toDataDirError } from './data-dir.js';
import { lockDataDir } from './data-dir-lock.js';

export interface EmbeddedDatabase {
  readonly pglite: PGlite;
  close(): Promise<void>;
}

/**
 * Opens the embedded PostgreSQL (PGlite) in `dataDir`, and creates it if it does not exist.
 * @throws DataDirInUseError if another process has it open, DataDirError if the folder cannot be used
 */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const pgdata = path.join(dataDir, 'pgdata');
  try {
    await makeFolder(dataDir);
    const lock = await lockDataDir(dataDir);
    const pglite = await openLocked(dataDir, pgdata).catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
    return {
      pglite,
      async close() {
        await pglite.close();
        await lock.release();
      },
    };
  } catch (error) {
    throw await toDataDirError(error, dataDir, pgdata);
  }
}

async function openLocked(dataDir: string, pgdata: string): Promise<PGlite> {
  await rejectWithoutVersion(dataDir, pgdata);
  const pglite = await PGlite.create({ dataDir: pgdata, extensions: { pg_trgm } });
  // The driver adapter writes and reads timestamps without a time zone.
  await pglite.exec(`SET TIME ZONE 'UTC'`);
  return pglite;
}
