import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { OperatorError } from '../../errors.js';
import { lockDataDir } from './data-dir-lock.js';

export class DataDirError extends OperatorError {}

export interface EmbeddedDatabase {
  readonly pglite: PGlite;
  close(): Promise<void>;
}

/**
 * Opens the embedded PostgreSQL (PGlite) in `dataDir`, and creates it if it does not exist.
 * @throws DataDirInUseError if another process has it open
 */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' || error.code === 'ENOTDIR'
      ? new DataDirError(`DATA_DIR must be a folder, and ${dataDir} is not.`)
      : error;
  });
  const lock = await lockDataDir(dataDir);
  try {
    const pglite = await PGlite.create({ dataDir: path.join(dataDir, 'pgdata'), extensions: { pg_trgm } });
    // The driver adapter writes and reads timestamps without a time zone.
    await pglite.exec(`SET TIME ZONE 'UTC'`);
    return {
      pglite,
      async close() {
        await pglite.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
