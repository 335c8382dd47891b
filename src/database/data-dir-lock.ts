import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';

/** The longest path of a Unix domain socket that Linux and macOS both take, in bytes. */
const MAX_SOCKET_PATH_BYTES = 103;

export class DataDirInUseError extends Error {}

/**
 * Holds `dataDir` for this process by listening on a socket in it: two PGlite instances on the same files would destroy them.
 * The kernel drops the listener with its process, so that a killed gateway leaves nothing to clean up (a file with a process id
 * would, and in a container the same id often belongs to the next process).
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  const socketPath = lockAddress(dataDir);
  const server = createServer((socket) => socket.destroy());
  const listening = (await listen(server, socketPath)) || (await takeOver(server, socketPath));
  if (!listening) {
    throw new DataDirInUseError(
      `The embedded database in ${dataDir} is in use by another process. Stop that one first, choose another DATA_DIR, ` +
        'or set DATABASE_URL: a PostgreSQL server can be shared.',
    );
  }
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function lockAddress(dataDir: string): string {
  const absolute = path.resolve(dataDir, 'lock.sock');
  if (process.platform === 'win32') return `\\\\.\\pipe\\flag-admin-gateway-${absolute.replaceAll(/[\\/:]/g, '-')}`;
  const relative = path.relative(process.cwd(), absolute);
  const shortest = Buffer.byteLength(relative) < Buffer.byteLength(absolute) ? relative : absolute;
  if (Buffer.byteLength(shortest) > MAX_SOCKET_PATH_BYTES) {
    throw new Error(`DATA_DIR ${dataDir} is too long a path: at most ${MAX_SOCKET_PATH_BYTES - 10} bytes.`);
  }
  return shortest;
}

/** Whether `server` now listens on `address`; false if something is there already. */
function listen(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error));
    server.once('error', onError);
    server.listen(address, () => {
      server.off('error', onError);
      resolve(true);
    });
  });
}

/** Replaces the socket file of a process that is gone. */
async function takeOver(server: Server, address: string): Promise<boolean> {
  if (await isAnswering(address)) return false;
  await rm(address, { force: true });
  return listen(server, address);
}

function isAnswering(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}
