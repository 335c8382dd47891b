import { randomUUID } from 'node:crypto';
import { link, rename, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { OperatorError } from '../../errors.js';
import { DataDirError } from './data-dir.js';

/** The longest path of a Unix domain socket that both Linux and macOS accept, in bytes. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Leaves room for the longest suffix that the path has while a process takes the lock. */
const MAX_LOCK_PATH_BYTES = MAX_SOCKET_PATH_BYTES - '.12345678.stale'.length;

export class DataDirInUseError extends OperatorError {}

/**
 * Locks `dataDir` for this process by listening on a socket in it: two PGlite instances on the same files would destroy them.
 * The kernel closes the socket with its process, so a killed gateway leaves no lock behind. A file with a process id would stay,
 * and in a container the next process often has the same id.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  const lock = lockAddress(dataDir);
  const own = `${lock}.${randomUUID().slice(0, 8)}`;
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(own, resolve));
  // Only one of several starting processes gets the name of the lock: link() is atomic, and so is the rename() of a stale lock.
  while (!(await takeName(own, lock))) {
    if (await isResponding(lock)) {
      server.close();
      throw new DataDirInUseError(
        `The embedded database in ${dataDir} is in use by another process. Stop that one first, choose another DATA_DIR, ` +
          'or set DATABASE_URL: a PostgreSQL server can be shared.',
      );
    }
    await dropStale(lock, `${own}.stale`);
  }
  await rm(own);
  server.unref();
  return {
    async release() {
      await rm(lock, { force: true });
      server.close();
    },
  };
}

function lockAddress(dataDir: string): string {
  const absolute = path.resolve(dataDir, 'lock.sock');
  const relative = path.relative(process.cwd(), absolute);
  const shortest = Buffer.byteLength(relative) < Buffer.byteLength(absolute) ? relative : absolute;
  if (Buffer.byteLength(shortest) > MAX_LOCK_PATH_BYTES) {
    throw new DataDirError(
      `DATA_DIR ${dataDir} cannot be used: the path is ${Buffer.byteLength(shortest) - MAX_LOCK_PATH_BYTES} bytes too long for the socket in it. Set DATA_DIR to a shorter path.`,
    );
  }
  return shortest;
}

async function takeName(own: string, lock: string): Promise<boolean> {
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the socket of a process that has ended. Puts the socket back if a faster process has just taken the lock. */
async function dropStale(lock: string, aside: string): Promise<void> {
  try {
    await rename(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (await isResponding(aside)) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Whether a process listens at the address. Any error but a clear refusal counts as yes. */
function isResponding(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}
