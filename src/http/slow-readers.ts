import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** What may wait to be read, of all answers together. */
export interface SlowReaderLimits {
  /** Some sixty of the largest answers that GraphQL gives, and a small part of the memory of a gateway. */
  readonly maxBytes: number;
  /** For each, the system keeps some megabytes besides, of which Node.js knows nothing: it would come to its limit, and slow down all connections. */
  readonly maxStuck: number;
}

const LIMITS: SlowReaderLimits = { maxBytes: 64 * 1024 * 1024, maxStuck: 64 };

const CHECKED_EVERY_MS = 250;
/** An answer of which nothing was taken for so long is stuck. */
const STUCK_AFTER_MS = 2_000;

interface Progress {
  writtenBytes: number;
  unreadBytes: number;
  sinceMs: number;
}

/**
 * What clients do not read of their answers waits in memory, and a few hundred slow ones would fill it. Beyond a limit, the answers that
 * began first are cut off until it is kept.
 */
export function limitSlowReaders(app: FastifyInstance, { maxBytes, maxStuck } = LIMITS): void {
  /** In the order in which they were asked for. */
  const answers = new Map<ServerResponse, Progress>();
  app.addHook('onRequest', (_request, { raw }, done) => {
    answers.set(raw, { writtenBytes: 0, unreadBytes: 0, sinceMs: performance.now() });
    raw.once('close', () => answers.delete(raw));
    done();
  });
  const cutOff = () => {
    let [unread, stuck] = [0, 0];
    for (const [answer, progress] of answers) {
      follow(answer, progress);
      unread += progress.unreadBytes;
      if (isStuck(progress)) stuck += 1;
    }
    for (const [answer, progress] of answers) {
      if (unread <= maxBytes && stuck <= maxStuck) return;
      const { unreadBytes } = progress;
      if (unreadBytes === 0 || (unread <= maxBytes && !isStuck(progress))) continue;
      unread -= unreadBytes;
      if (isStuck(progress)) stuck -= 1;
      cutOffAtOnce(answer);
      app.log.warn({ unreadBytes }, 'An answer was cut off: too much waits to be read by clients.');
    }
  };
  const checking = setInterval(cutOff, CHECKED_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(checking));
  // A connection that was silent for too long is closed, as Node.js would do without this listener.
  app.server.on('timeout', (socket) => {
    for (const answer of answers.keys()) if (answer.socket === socket) cutOffAtOnce(answer);
    socket.destroy();
  });
}

function follow({ writableLength, socket }: ServerResponse, progress: Progress): void {
  const writtenBytes = socket?.bytesWritten ?? 0;
  if (writtenBytes !== progress.writtenBytes || writableLength !== progress.unreadBytes) progress.sinceMs = performance.now();
  progress.writtenBytes = writtenBytes;
  progress.unreadBytes = writableLength;
}

function isStuck({ unreadBytes, sinceMs }: Progress): boolean {
  return unreadBytes > 0 && performance.now() - sinceMs >= STUCK_AFTER_MS;
}

/** The system would go on to keep what it has of a connection that was only closed. */
function cutOffAtOnce(answer: ServerResponse): void {
  answer.socket?.resetAndDestroy();
  answer.destroy();
}
