import type { FastifyInstance } from 'fastify';

/** Pages of ordinary events are shorter. Encoding them in advance saved no time. */
const LONG_TEXT = 2 ** 20;

/** Encodes a long body before it is sent, because Node.js takes longer to write a long text (docs/decisions/030-callers-in-turns.md). */
export function encodeLongBodies(app: FastifyInstance): void {
  app.addHook('onSend', (_, __, payload, done) => {
    done(null, typeof payload === 'string' && payload.length >= LONG_TEXT ? Buffer.from(payload) : payload);
  });
}
