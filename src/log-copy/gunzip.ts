import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './import-error.js';

/** The size of decompressed chunks. It equals `READ_BYTES` of cli/import.ts, so that all files import equally fast. */
const CHUNK_BYTES = 2 ** 18;

/** Decompresses a gzip file, which may consist of several members, in constant memory. @throws ImportError for a damaged file */
export async function* gunzip(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const output = createGunzip({ chunkSize: CHUNK_BYTES });
  // The callback ignores the errors of the file and of the decompression, because `yield*` below throws them.
  pipeline(Readable.from(file, { objectMode: false }), output, () => undefined);
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toImportError(error as NodeJS.ErrnoException);
  }
}

function toImportError(error: NodeJS.ErrnoException): Error {
  if (error.code === 'Z_BUF_ERROR') return new ImportError('The gzip file', 'is truncated: it ends within its compressed data');
  return error.code?.startsWith('Z_') ? new ImportError('The gzip file', `is damaged: ${error.message}`) : error;
}
