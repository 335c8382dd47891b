/*
 * The thread of the embedded database. This file is JavaScript, because Node.js itself loads the file of a thread, even where a
 * test runner compiles the TypeScript files.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { NEW_DATABASE } from './pack-new-database.mjs';

/** Smaller pieces of a response are collected up to this size, because each message to another thread costs time. */
const PIECE_BYTES = 2 ** 16;

/**
 * Lowers the shared buffers from 128 MB to 32 MB, because the process never returns memory that they have used. Imports and
 * searches take the same time, because the operating system caches the files of the database, too.
 */
const START_PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

try {
  const pglite = await open(workerData.dataDir);
  // All clients share this session. It is in UTC, because Prisma's driver adapter leaves out the zone of timestamps.
  await pglite.exec(`SET TIME ZONE 'UTC'`);
  const { rows } = /** @type {import('@electric-sql/pglite').Results<{ server_version: string }>} */ (
    await pglite.query('SHOW server_version')
  );
  // Calls are handled one after the other, in the order of their arrival.
  let last = Promise.resolve();
  port.on('message', (/** @type {Uint8Array | 'close'} */ call) => {
    last = last.then(() => (call === 'close' ? close(pglite) : run(pglite, call))).catch(fail);
  });
  port.postMessage({ serverVersion: rows[0]?.server_version });
} catch (error) {
  fail(error);
}

/**
 * Opens the database in a folder, or a new one in memory.
 * @param {string | undefined} dataDir
 */
async function open(dataDir) {
  const options = { extensions: { pg_trgm }, startParams: START_PARAMETERS };
  if (dataDir !== undefined && existsSync(path.join(dataDir, 'PG_VERSION'))) return PGlite.create({ dataDir, ...options });
  // Unpacking a new database takes a third of the time of `initdb`.
  const packed = existsSync(NEW_DATABASE)
    ? { loadDataDir: new Blob([readFileSync(NEW_DATABASE)], { type: 'application/gzip' }) }
    : {};
  if (dataDir === undefined) return PGlite.create({ ...packed, ...options });
  // The folder gets its name once it is complete, so that a process that is killed meanwhile leaves no damaged database.
  const unfinished = `${dataDir}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  await (await PGlite.create({ dataDir: unfinished, ...packed, ...options })).close();
  renameSync(unfinished, dataDir);
  return PGlite.create({ dataDir, ...options });
}

/**
 * Runs messages of PostgreSQL's protocol, and posts the response in pieces. The last message has both the last piece and the mark
 * of the end. If they were two messages, a client could disconnect between them, and its batch would count as still running.
 * @param {PGlite} pglite
 * @param {Uint8Array} messages
 */
async function run(pglite, messages) {
  /** @type {Uint8Array[]} */
  let pieces = [];
  let bytes = 0;
  const startedAt = performance.now();
  const take = () => {
    const piece = new Uint8Array(bytes);
    let offset = 0;
    for (const part of pieces) {
      piece.set(part, offset);
      offset += part.length;
    }
    pieces = [];
    bytes = 0;
    return piece;
  };
  await pglite.execProtocolRawStream(messages, {
    onRawData(data) {
      // A full piece is posted only once more data follows, so that the end of the response is always in the last message.
      if (bytes >= PIECE_BYTES) {
        const piece = take();
        port.postMessage(piece, [piece.buffer]);
      }
      // The engine reuses the memory of `data`.
      pieces.push(data.slice());
      bytes += data.length;
    },
  });
  const last = take();
  port.postMessage({ last, ranMs: performance.now() - startedAt }, [last.buffer]);
}

/** @param {PGlite} pglite */
async function close(pglite) {
  await pglite.close();
  port.close();
}

/** @param {unknown} error */
function fail(error) {
  // Posts the fields of the error, because a copy of the error itself would lose its codes between threads.
  const { name, message, code, errno } = /** @type {NodeJS.ErrnoException} */ (error);
  port.postMessage({ failure: { name, message, code, errno } });
  port.close();
}
