import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** A smaller body fits into one packet without compression. */
const COMPRESSED_FROM_BYTES = 1024;

/**
 * The level for gzip and Brotli. gzip takes a quarter of the time of its default level 6, at nearly the same size. Brotli's
 * default level 11 is meant for files that are compressed once.
 */
const COMPRESSION_LEVEL = 1;

/**
 * Compresses bodies for clients that accept compression, except streams (stream-response.ts) and responses that are `no-store`. Such a
 * response may contain a secret, which its compressed size could reveal (BREACH).
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', ({ headers }, reply, _, done) => {
    if (reply.getHeader('cache-control') === 'no-store') headers['x-no-compression'] = 'secret';
    done();
  });
  await app.register(compress, {
    globalDecompression: false,
    threshold: COMPRESSED_FROM_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: COMPRESSION_LEVEL } },
    zlibOptions: { level: COMPRESSION_LEVEL },
  });
}
