import { setMaxListeners } from 'node:events';
import type { FastifyReply } from 'fastify';
import { GatewayError } from '../errors.js';

/**
 * Node.js warns if an object has more listeners than this. Each running or waiting query has a listener on the signal of its
 * request, and each request in progress has a listener on its connection. Both numbers stay below this limit.
 */
const MAX_LISTENERS = 200;

/** The reason of the abort. Without one, Node.js would create an error with a stack for each request. */
const NOBODY_WAITS = new GatewayError('ClientClosedRequest', 'Nobody waits for the response any more.');

/**
 * Returns a signal that is aborted once nobody waits for the response: the client has disconnected, or the response is complete.
 * The abort cancels the queries of the request. If a field fails, the response can be complete before the queries of the other
 * fields.
 */
export function createRequestSignal({ raw }: FastifyReply): AbortSignal {
  const ending = new AbortController();
  const { socket } = raw.req;
  setMaxListeners(MAX_LISTENERS, ending.signal, socket);
  const end = () => {
    socket.off('close', end);
    ending.abort(NOBODY_WAITS);
  };
  raw.once('close', end);
  // If the client disconnects, Node.js closes only the first response of several pipelined requests.
  socket.once('close', end);
  // The client may have disconnected already, while its token was checked.
  if (socket.destroyed) end();
  return ending.signal;
}
