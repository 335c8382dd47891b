import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Some hundred of the largest answers that GraphQL gives, and a small part of the memory of a gateway. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

const CHECKED_EVERY_MS = 250;

/**
 * What clients do not read of their answers waits in memory, and a few hundred slow ones would fill it. Beyond so much, the answers that
 * began first are cut off until it fits.
 */
export function limitUnreadAnswers(app: FastifyInstance, maxBytes = MAX_UNREAD_BYTES): void {
  /** In the order in which they were asked for. */
  const answers = new Set<ServerResponse>();
  app.addHook('onRequest', (_request, { raw }, done) => {
    answers.add(raw);
    raw.once('close', () => answers.delete(raw));
    done();
  });
  const cutOff = () => {
    let unread = 0;
    for (const { writableLength } of answers) unread += writableLength;
    for (const answer of answers) {
      if (unread <= maxBytes) return;
      const { writableLength } = answer;
      if (writableLength === 0) continue;
      unread -= writableLength;
      answer.destroy();
      app.log.warn({ unreadBytes: writableLength }, 'An answer was cut off: too much waits to be read by clients.');
    }
  };
  const checking = setInterval(cutOff, CHECKED_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(checking));
}
