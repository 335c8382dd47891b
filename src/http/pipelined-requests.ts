import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** The most requests of one connection that are handled at once. Browsers do not pipeline, and HTTP/1.1 clients rarely do. */
const MAX_AT_ONCE = 16;

interface Connection {
  open: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits how many pipelined requests of a connection are handled at the same time. Node would handle all parsed requests at
 * once. Requests beyond the limit wait, and meanwhile nothing more is read from the connection.
 */
export function queuePipelinedRequests(app: FastifyInstance): void {
  const connections = new WeakMap<Socket, Connection>();
  app.addHook('onRequest', async ({ raw: { socket } }, { raw }) => {
    const connection = connections.get(socket) ?? { open: 0, waiting: [] };
    connections.set(socket, connection);
    raw.once('close', () => {
      const next = connection.waiting.shift();
      if (!next) {
        connection.open -= 1;
        return;
      }
      next();
      if (connection.waiting.length === 0) socket.resume();
    });
    if (connection.open < MAX_AT_ONCE) {
      connection.open += 1;
      return;
    }
    socket.pause();
    await new Promise<void>((resolve) => connection.waiting.push(resolve));
  });
}
