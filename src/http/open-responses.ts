import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The responses that are not complete, in the order of their requests. */
    openResponses: ReadonlySet<ServerResponse>;
  }
}

export function trackOpenResponses(app: FastifyInstance): void {
  const responses = new Set<ServerResponse>();
  app.decorate('openResponses', responses);
  app.addHook('onRequest', (_request, { raw }, done) => {
    responses.add(raw);
    raw.once('close', () => responses.delete(raw));
    done();
  });
}

/**
 * Resets the connection of an incomplete response. A client of HTTP/1.0 takes a normal close for the end of the response.
 * After a normal close, the operating system would also keep its buffers.
 */
export function cutOffAtOnce(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
  response.destroy();
}
