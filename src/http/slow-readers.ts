import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { cutOffAtOnce } from './open-responses.js';

/** Limits for data that clients have not read yet, over all responses together. */
export interface SlowReaderLimits {
  /** The most unread bytes: enough for a few of the largest GraphQL responses, and a small part of a gateway's memory. */
  readonly maxBytes: number;
  /**
   * The most stuck responses. The operating system buffers megabytes for each, which Node.js does not see. Once these buffers are
   * full, all connections slow down.
   */
  readonly maxStuck: number;
}

const LIMITS: SlowReaderLimits = { maxBytes: 64 * 1024 * 1024, maxStuck: 64 };

const CHECKED_EVERY_MS = 250;
/** A response is stuck if the client has read nothing of it for this long. */
const STUCK_AFTER_MS = 2_000;

interface Progress {
  readonly writtenBytes: number;
  readonly unreadBytes: number;
  /** The time since which both numbers are unchanged. */
  readonly sinceMs: number;
}

/**
 * Limits the response data that waits in memory for slow clients. A few hundred slow clients would fill the memory. Over a limit,
 * the oldest responses are cut off until the rest is within the limit. Needs `trackOpenResponses`.
 *
 * stream-response.ts ends a stream of which the client reads nothing for 30 seconds. graphql-streams/message-queue.ts limits the
 * unread data of WebSockets.
 */
export function limitSlowReaders(app: FastifyInstance, { maxBytes, maxStuck } = LIMITS): void {
  let responses: ReadonlyMap<ServerResponse, Progress> = new Map();
  const cutOff = () => {
    responses = new Map([...app.openResponses].map((response) => [response, follow(response, responses.get(response))]));
    let [unread, stuck] = [0, 0];
    for (const progress of responses.values()) {
      unread += progress.unreadBytes;
      if (isStuck(progress)) stuck += 1;
    }
    for (const [response, progress] of responses) {
      if (unread <= maxBytes && stuck <= maxStuck) return;
      const { unreadBytes } = progress;
      if (unreadBytes === 0 || (unread <= maxBytes && !isStuck(progress))) continue;
      unread -= unreadBytes;
      if (isStuck(progress)) stuck -= 1;
      cutOffAtOnce(response);
      app.log.warn({ unreadBytes }, 'A response was cut off: clients leave too much response data unread.');
    }
  };
  const checking = setInterval(cutOff, CHECKED_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(checking));
  // Closes an idle connection. Node.js does not close it itself, because this listener exists.
  app.server.on('timeout', (socket) => {
    for (const response of app.openResponses) if (response.socket === socket) cutOffAtOnce(response);
    socket.destroy();
  });
}

function follow({ writableLength, socket }: ServerResponse, before: Progress | undefined): Progress {
  const writtenBytes = socket?.bytesWritten ?? 0;
  const isSame = writtenBytes === before?.writtenBytes && writableLength === before.unreadBytes;
  return { writtenBytes, unreadBytes: writableLength, sinceMs: isSame ? before.sinceMs : performance.now() };
}

function isStuck({ unreadBytes, sinceMs }: Progress): boolean {
  return unreadBytes > 0 && performance.now() - sinceMs >= STUCK_AFTER_MS;
}
