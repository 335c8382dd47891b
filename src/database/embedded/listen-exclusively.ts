import { randomUUID } from 'node:crypto';
import { chmod, link, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { DataDirError } from './data-dir.js';

/** The longest path of a Unix domain socket that both Linux and macOS accept, in bytes. */
const MAX_PATH_BYTES = 103;

/** The length of the longest suffix after the name of a socket, in bytes. */
const SUFFIX_BYTES = '.new-12345678'.length;

export interface Listening {
  /** The path of the socket on which this process or another one listens. */
  readonly address: string;
  /** Stops listening; null if another process listens. */
  readonly close: (() => void) | null;
}

/**
 * Listens on a socket in `folder`, unless another process does. The socket is a lock, too. The kernel closes it when its process
 * ends, so a killed gateway holds no lock: the file of the socket stays, but refuses connections. A lock file with a process id
 * would stay too and seem valid, because in a container the next process often has the same id.
 *
 * The name ends in a number that only grows. If the socket with the highest number does not respond, the first process that links
 * its socket to the next number takes over. Nothing ever renames or removes the socket with the highest number, so a slow process
 * cannot take away the socket of a faster one.
 * @throws DataDirError if the path is too long for the system
 */
export async function listenExclusively(
  folder: string,
  name: string,
  onConnection: (socket: Socket) => void,
): Promise<Listening> {
  const toAddress = (suffix: number | string) => shorten(folder, `${name}.${suffix}`);
  requireShort(folder, Buffer.byteLength(shorten(folder, name)));
  const own = toAddress(`new-${randomUUID().slice(0, 8)}`);
  const server = createServer(onConnection);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(own, resolve));
  server.unref();
  try {
    await chmod(own, 0o600);
    for (;;) {
      const highest = Math.max(0, ...(await listNumbers(folder, name)));
      if (highest > 0 && (await isResponding(toAddress(highest)))) {
        server.close();
        return { address: toAddress(highest), close: null };
      }
      const next = highest + 1;
      if (!(await takeName(own, toAddress(next)))) continue;
      const numbers = await listNumbers(folder, name);
      if (Math.max(...numbers) > next) continue;
      for (const number of numbers) if (number < next) await rm(toAddress(number), { force: true });
      return { address: toAddress(next), close: () => void server.close() };
    }
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/** Returns the absolute path or the path from the current folder, whichever is shorter. */
function shorten(folder: string, name: string): string {
  const absolute = path.resolve(folder, name);
  const relative = path.relative(process.cwd(), absolute);
  return Buffer.byteLength(relative) < Buffer.byteLength(absolute) ? relative : absolute;
}

function requireShort(folder: string, bytes: number): void {
  const excess = bytes + SUFFIX_BYTES - MAX_PATH_BYTES;
  if (excess <= 0) return;
  throw new DataDirError(
    `DATA_DIR ${folder} cannot be used: the path is ${excess} bytes too long for the socket in it. Set DATA_DIR to a shorter path.`,
  );
}

async function listNumbers(folder: string, name: string): Promise<number[]> {
  const suffixes = (await readdir(folder))
    .filter((file) => file.startsWith(`${name}.`))
    .map((file) => file.slice(name.length + 1));
  return suffixes.filter((suffix) => /^\d+$/.test(suffix)).map(Number);
}

/** Links the socket to its final address. @returns false if another process was faster */
async function takeName(own: string, address: string): Promise<boolean> {
  try {
    await link(own, address);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether a process listens at the address. An error counts as yes, unless the connection is refused or the file is missing. */
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
