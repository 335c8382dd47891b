import { setMaxListeners } from 'node:events';
import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted when the client disconnects before its response is complete. It cancels the queries of the request. */
export function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  // Each of the queries that a request runs at the same time listens. Node.js warns of more than ten listeners.
  setMaxListeners(0, disconnected.signal);
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
