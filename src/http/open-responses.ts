import type { ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The responses that are not complete, in the order of their requests. */
    openResponses: ReadonlyMap<ServerResponse, OpenResponse>;
  }
}

export interface OpenResponse {
  readonly request: FastifyRequest;
  /** The stream that compresses the body; null before the body is sent, and for bodies that are not compressed. */
  compressor: Duplex | null;
}

export function trackOpenResponses(app: FastifyInstance): void {
  const responses = new Map<ServerResponse, OpenResponse>();
  app.decorate('openResponses', responses);
  app.addHook('onRequest', (request, { raw }, done) => {
    const open: OpenResponse = { request, compressor: null };
    responses.set(raw, open);
    // Of the streams that are sent, only those of compression.ts can also be written to.
    raw.once('pipe', (source) => {
      open.compressor = source instanceof Duplex ? source : null;
    });
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
