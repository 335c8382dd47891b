import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The time after which the connection of a client is reset that reads nothing. */
const STUCK_MS = 30_000;

/** Sends texts as one response, each after the client has read the one before. */
export function sendStream(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  texts: AsyncGenerator<string, void>,
): FastifyReply {
  // A proxy must neither change a stream nor collect it, and neither must the gateway.
  reply.header('cache-control', 'no-store, no-transform').header('x-accel-buffering', 'no').type(contentType);
  headers['x-no-compression'] = 'stream';
  return reply.send(Readable.from(resetStuck(texts, reply), { highWaterMark: 0 }));
}

async function* resetStuck(texts: AsyncGenerator<string, void>, { raw: { socket } }: FastifyReply): AsyncGenerator<string> {
  const reset = () => socket?.resetAndDestroy();
  // The stream itself decides how long it may be silent.
  socket?.setTimeout(0);
  for await (const text of texts) {
    const stuck = setTimeout(reset, STUCK_MS);
    try {
      yield text;
    } finally {
      clearTimeout(stuck);
    }
  }
}
