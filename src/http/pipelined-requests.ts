import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';

/** With this many waiting requests, nothing more is read from a connection. What was read already can contain further requests. */
const MAX_WAITING = 16;

/**
 * The most waiting requests of all connections together. A waiting request takes some kilobytes, and one read of a connection can
 * contain two thousand requests.
 */
const MAX_WAITING_TOGETHER = 4_096;

/**
 * Handles the pipelined requests of a connection one after the other. Node.js passes them to the handler at once. It would keep
 * finished responses in memory until the responses before them are sent, and when the client disconnects, it closes only the
 * first of these responses.
 */
export function handleInOrder(
  handle: RequestListener,
  log: FastifyBaseLogger,
  maxWaitingTogether = MAX_WAITING_TOGETHER,
): RequestListener {
  const connections = new WeakMap<Socket, { waiting: number }>();
  let waitingTogether = 0;

  const watch = (socket: Socket) => {
    const connection = { waiting: 0 };
    connections.set(socket, connection);
    socket.once('close', () => {
      waitingTogether -= connection.waiting;
    });
    return connection;
  };

  return (request, response) => {
    if (response.socket) {
      handle(request, response);
      return;
    }
    const { socket } = request;
    const connection = connections.get(socket) ?? watch(socket);
    connection.waiting += 1;
    waitingTogether += 1;
    // Node.js assigns the connection to a response once all responses before it are sent. If the client disconnects, it never
    // does, and the request is forgotten with its connection.
    response.once('socket', () => {
      connection.waiting -= 1;
      waitingTogether -= 1;
      if (connection.waiting === 0) socket.resume();
      handle(request, response);
    });
    if (connection.waiting >= MAX_WAITING) socket.pause();
    // A client that does not pipeline can have one waiting request, because it can be faster than the end of a response.
    if (waitingTogether <= maxWaitingTogether || connection.waiting === 1 || socket.destroyed) return;
    socket.resetAndDestroy();
    log.warn('A connection was reset: too many pipelined requests wait.');
  };
}
