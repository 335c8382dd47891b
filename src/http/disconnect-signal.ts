import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted when the client disconnects before its response is complete. It cancels the queries of the request. */
export function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
