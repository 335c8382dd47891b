import { pipeline, type Transform } from 'node:stream';
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

interface Coding {
  readonly name: string;
  /** Compresses a whole body in other threads. */
  readonly compress: (body: string | Buffer, done: (error: Error | null, compressed: Buffer) => void) => void;
  readonly createStream: () => Transform;
}

/** The content codings in the order of this server's preference. */
const CODINGS: readonly Coding[] = [
  {
    name: 'br',
    compress: (body, done) => brotliCompress(body, BROTLI_OPTIONS, done),
    createStream: () => createBrotliCompress(BROTLI_OPTIONS),
  },
  {
    name: 'gzip',
    compress: (body, done) => gzip(body, GZIP_OPTIONS, done),
    createStream: () => createGzip(GZIP_OPTIONS),
  },
];

type Body = string | Buffer | NodeJS.ReadableStream;

/**
 * Compresses bodies for clients that accept compression, except those that are `no-store`. Such a response may contain a secret,
 * which its compressed size could reveal (BREACH). Streams of the feed and exports are `no-store`, too.
 *
 * A body that is in memory is compressed before it is sent. The compressor of a stream would keep the whole body while the client
 * does not read. It keeps at most one piece of a stream, which slow-readers.ts counts.
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', ({ headers }, reply, payload: Body | null | undefined, done) => {
    const accepted = headers['accept-encoding'];
    if (accepted === undefined || payload == null || !isCompressible(reply, payload)) return done();
    const coding = chooseCoding(String(accepted));
    if (!coding) return done();
    const send = (body: Body) => {
      reply.header('content-encoding', coding.name).removeHeader('content-length');
      addVary(reply);
      done(null, body);
    };
    if (isStream(payload)) return send(pipeline(payload, coding.createStream(), () => undefined));
    coding.compress(payload, (error, compressed) => (error ? done(error) : send(compressed)));
  });
}

function isCompressible(reply: FastifyReply, payload: Body): boolean {
  const cacheControl = String(reply.getHeader('cache-control') ?? '');
  return (
    !reply.hasHeader('content-encoding') &&
    !cacheControl.startsWith('no-store') &&
    /json|text\//.test(String(reply.getHeader('content-type') ?? '')) &&
    (isStream(payload) || Buffer.byteLength(payload) >= COMPRESSED_FROM_BYTES)
  );
}

const isStream = (payload: Body): payload is NodeJS.ReadableStream => typeof payload !== 'string' && !Buffer.isBuffer(payload);

/** Returns the coding that the client prefers (RFC 9110, section 12.5.3); null if it prefers no coding. */
function chooseCoding(accepted: string): Coding | null {
  const ranges = parseAccept(accepted);
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
