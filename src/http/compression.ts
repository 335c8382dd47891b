import { pipeline, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseAccept } from './accept.js';

/** A smaller body fits into one packet without compression. */
const COMPRESSED_FROM_BYTES = 1024;

/**
 * The level for gzip and Brotli. gzip takes a quarter of the time of its default level 6, at nearly the same size. Brotli's
 * default level 11 is meant for files that are compressed once.
 */
const COMPRESSION_LEVEL = 1;

const GZIP_OPTIONS = { level: COMPRESSION_LEVEL };
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: COMPRESSION_LEVEL } };

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

interface Coding {
  readonly name: string;
  /** Compresses a whole body in other threads. */
  readonly compress: (body: string | Buffer) => Promise<Buffer>;
  readonly createStream: () => Transform;
}

/** The content codings in the order of this server's preference. */
const CODINGS: readonly Coding[] = [
  {
    name: 'br',
    compress: (body) => compressBrotli(body, BROTLI_OPTIONS),
    createStream: () => createBrotliCompress(BROTLI_OPTIONS),
  },
  {
    name: 'gzip',
    compress: (body) => compressGzip(body, GZIP_OPTIONS),
    createStream: () => createGzip(GZIP_OPTIONS),
  },
];

type Body = string | Buffer | NodeJS.ReadableStream;

/**
 * Compresses bodies for clients that accept compression, except those that are `no-store`. Such a response may contain a secret,
 * which its compressed size could reveal (BREACH). Streams of the feed and exports are `no-store`, too.
 *
 * A body that is in memory is compressed before it is sent. If it were a single piece of a stream, the compressor would keep it
 * until the client has read nearly all of it. A stream has smaller pieces. Its compressor keeps one of them (slow-readers.ts).
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, headers }, reply, payload: Body | null | undefined) => {
    if (payload == null || !isCompressible(reply, payload)) return payload;
    addVary(reply);
    const coding = chooseCoding(headers['accept-encoding']);
    if (!coding || (method === 'HEAD' && isStream(payload))) return payload;
    const compressed = isStream(payload)
      ? pipeline(payload, coding.createStream(), () => undefined)
      : await coding.compress(payload);
    reply.header('content-encoding', coding.name).removeHeader('content-length').removeHeader('accept-ranges');
    return compressed;
  });
}

function isCompressible(reply: FastifyReply, payload: Body): boolean {
  const textOf = (name: string) => String(reply.getHeader(name) ?? '');
  return (
    !reply.hasHeader('content-encoding') &&
    !reply.hasHeader('content-range') &&
    !/\bno-store\b/.test(textOf('cache-control')) &&
    /json|text\/|svg|ttf/.test(textOf('content-type')) &&
    (isStream(payload) || Buffer.byteLength(payload) >= COMPRESSED_FROM_BYTES)
  );
}

const isStream = (payload: Body): payload is NodeJS.ReadableStream => typeof payload !== 'string' && !Buffer.isBuffer(payload);

/** Returns the coding that the client prefers (RFC 9110, section 12.5.3); null if it prefers no coding. */
function chooseCoding(accepted: string | string[] | undefined): Coding | null {
  // Clients without this header accept any coding, but few of them can decode one.
  if (accepted === undefined || accepted === '') return null;
  const ranges = parseAccept(String(accepted));
  const qualityOf = (name: string): number =>
    (ranges.find(({ range }) => range === name) ?? ranges.find(({ range }) => range === '*'))?.quality ?? 0;
  const best = Math.max(...CODINGS.map(({ name }) => qualityOf(name)));
  if (best === 0 || best < (ranges.find(({ range }) => range === 'identity')?.quality ?? 0)) return null;
  return CODINGS.find(({ name }) => qualityOf(name) === best) ?? null;
}

function addVary(reply: FastifyReply): void {
  const vary = String(reply.getHeader('vary') ?? '');
  if (!vary.includes('accept-encoding')) reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`);
}
