import type { FastifyInstance } from 'fastify';

/** Pages of ordinary events are shorter. For them, the time of the allocation is as long as that of encoding. */
const LONG_TEXT = 2 ** 20;

/** Encodes a long body once. Otherwise Node.js encodes it to count its bytes, for each of two headers, and again to write it. */
export function encodeLongBodies(app: FastifyInstance): void {
  app.addHook('onSend', (_, __, payload, done) => {
    done(null, typeof payload === 'string' && payload.length >= LONG_TEXT ? Buffer.from(payload) : payload);
  });
}
