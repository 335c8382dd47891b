import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** A smaller body fits into one packet without compression. */
const COMPRESSED_FROM_BYTES = 1024;

/** Takes a quarter of the time of gzip's default of 6, at nearly the same size. Brotli's default of 11 is for files compressed once. */
const COMPRESSION_LEVEL = 1;

/** Pages of ordinary events are shorter. Encoding them in advance saved no time. */
const LONG_TEXT = 2 ** 20;

/**
 * Compresses bodies for clients that accept it. A long body is encoded before it is sent, because Node.js takes longer to write a long
 * text (docs/decisions/030-callers-in-turns.md).
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: COMPRESSED_FROM_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: COMPRESSION_LEVEL } },
    zlibOptions: { level: COMPRESSION_LEVEL },
  });
  app.addHook('onSend', (_, __, payload, done) => {
    done(null, typeof payload === 'string' && payload.length >= LONG_TEXT ? Buffer.from(payload) : payload);
  });
}
