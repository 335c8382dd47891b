import { constants } from 'node:fs';
import { access, mkdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '../../errors.js';

/**
 * Says why the embedded database in DATA_DIR cannot be opened, and what to do. listen-exclusively.ts decides which process opens
 * it.
 */
export class DataDirError extends OperatorError {}

const OTHER_FOLDER = 'Set DATA_DIR to a folder that the gateway can write';
const NOT_WRITABLE = `the user of the gateway may not write there. Give it that right, or set DATA_DIR to another folder`;
const NOT_A_FOLDER = `a part of this path is a file. ${OTHER_FOLDER}`;
const DISK_FULL = 'its disk is full. Free some space, or set DATA_DIR to a folder on another disk';

/** The reasons why a folder cannot be written, each with a way out, by the code of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: `its file system is read-only. ${OTHER_FOLDER}`,
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  ENOTDIR: NOT_A_FOLDER,
  EEXIST: NOT_A_FOLDER,
  ENOENT: `its file system does not allow new folders. ${OTHER_FOLDER}`,
  ENAMETOOLONG: 'the path is too long. Set DATA_DIR to a shorter path',
  ENOTEMPTY: 'its folder pgdata contains other files. Set DATA_DIR to another folder',
  ENOTSUP: `its file system supports no Unix sockets. ${OTHER_FOLDER}`,
  EOPNOTSUPP: `its file system supports no Unix sockets. ${OTHER_FOLDER}`,
};

/** The same codes by their numbers in WASI, the system interface of WebAssembly programs. */
const WASI_CODES: Readonly<Record<number, string>> = { 2: 'EACCES', 19: 'EDQUOT', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' };

/**
 * With less free space than this, the disk counts as full. PostgreSQL needs more to start, because it writes a checkpoint and
 * starts a segment of its write-ahead log.
 */
const LEAST_FREE_BYTES = 2 ** 20;

/**
 * Creates a folder and its missing parents, for this user only. The option `recursive` of `mkdir` would never return in `/proc`:
 * that file system reports a missing parent for every new folder, and Node.js tries again.
 */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !(await isFolder(at)); at = path.dirname(at)) missing.unshift(at);
  for (const at of missing) {
    // Another process may have created it in the meantime.
    await mkdir(at, 0o700).catch(async (error: unknown) => {
      if (!(await isFolder(at))) throw error;
    });
  }
}

/** Whether a folder exists at the path. @throws an error with the code ENOTDIR if something else exists there */
async function isFolder(at: string): Promise<boolean> {
  const found = await stat(at).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found && !found.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  return found !== null;
}

/**
 * Rejects a database that lacks its file PG_VERSION. Without this check, the engine would try to create a new database there.
 * @throws DataDirError
 */
export async function rejectWithoutVersion(dataDir: string, pgdata: string): Promise<void> {
  const hasFile = (name: string) =>
    access(path.join(pgdata, name)).then(
      () => true,
      () => false,
    );
  if ((await hasFile('global/pg_control')) && !(await hasFile('PG_VERSION'))) throw damaged(dataDir);
}

/** Turns a failure of the operating system or of PGlite into a `DataDirError`. Returns every other error as it is. */
export async function toDataDirError(error: unknown, dataDir: string, pgdata: string): Promise<unknown> {
  const { code, errno, name, message } = error as { code?: string; errno?: number; name?: string; message?: string };
  const reason = REASONS[code ?? WASI_CODES[errno ?? 0] ?? ''];
  if (reason !== undefined) return new DataDirError(`DATA_DIR ${dataDir} cannot be used: ${reason}.`, { cause: error });
  if (name !== 'RuntimeError' && message !== 'PGlite failed to initialize properly') return error;
  // PGlite throws the same error for every reason, so the gateway looks for a reason on the disk.
  const obstacle = await findObstacle(pgdata);
  return obstacle === null
    ? damaged(dataDir, error)
    : new DataDirError(`DATA_DIR ${dataDir} cannot be used: ${obstacle}.`, { cause: error });
}

async function findObstacle(pgdata: string): Promise<string | null> {
  // The folder `pgdata` may not exist yet, but its parent does.
  const { bavail, bsize } = await statfs(path.dirname(pgdata));
  if (bavail * bsize < LEAST_FREE_BYTES) return DISK_FULL;
  for (const name of ['.', 'PG_VERSION', 'global', 'global/pg_control', 'pg_wal']) {
    const { code } = await access(path.join(pgdata, name), constants.R_OK | constants.W_OK).then(
      () => ({ code: '' }),
      (error: NodeJS.ErrnoException) => error,
    );
    if (code === 'EACCES' || code === 'EROFS') return REASONS[code] ?? null;
  }
  return null;
}

function damaged(dataDir: string, cause?: unknown): DataDirError {
  return new DataDirError(
    `The embedded database in DATA_DIR ${dataDir} is damaged, or from another version of PostgreSQL. ` +
      'Restore the folder from a backup, or delete it to start with an empty database.',
    { cause },
  );
}
