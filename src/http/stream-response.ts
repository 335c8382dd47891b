import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The time after which a connection is reset if the client reads nothing. */
const STUCK_MS = 30_000;

/** A text is sent in pieces of this size, since Node.js does not tell how much of a piece the client has read. */
const PIECE_BYTES = 64 * 1024;

/**
 * Sends texts as one response. Each text is sent after the client has read the one before. An error resets the connection, so
 * that no client takes the response for complete.
 */
export function sendStream(
  { headers, method, raw: { socket } }: Pick<FastifyRequest, 'headers' | 'method' | 'raw'>,
  reply: FastifyReply,
  contentType: string,
  texts: AsyncGenerator<string, void>,
  stuckMs = STUCK_MS,
): FastifyReply {
  // Neither a proxy nor the gateway itself may transform or buffer a stream.
  reply.header('cache-control', 'no-store, no-transform').header('x-accel-buffering', 'no').type(contentType);
  headers['x-no-compression'] = 'stream';
  if (method === 'HEAD') return reply.send();
  // The stream itself decides how long it may be silent.
  socket.setTimeout(0);
  const reset = () => void socket.resetAndDestroy();
  return reply.send(Readable.from(resetStuck(texts, reset, stuckMs), { highWaterMark: 0 }));
}

async function* resetStuck(texts: AsyncGenerator<string, void>, reset: () => void, stuckMs: number): AsyncGenerator<Buffer> {
  let stuck: NodeJS.Timeout | undefined;
  try {
    for await (const text of texts) {
      for (const piece of toPieces(Buffer.from(text))) {
        stuck = setTimeout(reset, stuckMs);
        yield piece;
        clearTimeout(stuck);
      }
    }
  } catch (error) {
    reset();
    throw error;
  } finally {
    clearTimeout(stuck);
  }
}

/** Splits bytes into pieces that are sent one after the other. */
export function* toPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}
