import { setMaxListeners } from 'node:events';
import type { FastifyReply } from 'fastify';
import { GatewayError } from '../errors.js';

/**
 * Node.js warns if a signal has more listeners than this. Each running or waiting query of the request has one, and their number
 * stays below this limit.
 */
const MAX_LISTENERS = 200;

/** The reason of the abort. Without one, Node.js would create an error with a stack for each request. */
const NOBODY_WAITS = new GatewayError('ClientClosedRequest', 'Nobody waits for the response any more.');

/**
 * Returns a signal that is aborted once nobody waits for the response: the client has disconnected, or the response is complete.
 * While 16 pipelined requests wait, a disconnection is noticed only when something is written to the connection.
 *
 * The abort cancels the queries of the request. If a field fails, the response can be complete before the queries of the other
 * fields.
 */
export function createRequestSignal({ raw }: FastifyReply): AbortSignal {
  const ending = new AbortController();
  setMaxListeners(MAX_LISTENERS, ending.signal);
  const end = () => ending.abort(NOBODY_WAITS);
  raw.once('close', end);
  // The client may have disconnected already, while its token was checked.
  if (raw.req.socket.destroyed) end();
  return ending.signal;
}
