import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { toNetwork } from '../limits/network.js';
import { cutOffAtOnce, type OpenResponse } from './open-responses.js';

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
/** Stuck responses with at least this many unread bytes are cut off first. */
const LARGE_BYTES = 1024 * 1024;

interface Progress {
  readonly response: ServerResponse;
  /** The id of the caller, or the network of a client without a token. */
  readonly caller: string;
  readonly writtenBytes: number;
  readonly unreadBytes: number;
  /** The time since which both numbers are unchanged. */
  readonly sinceMs: number;
}

/**
 * Limits the response data that waits in memory for slow clients. A few hundred slow clients would fill the memory. Over a limit,
 * responses are cut off until the rest is within the limit. Needs `trackOpenResponses`.
 *
 * stream-response.ts ends a stream of which the client reads nothing for 30 seconds. graphql-streams/message-queue.ts limits the
 * unread data of WebSockets.
 */
export function limitSlowReaders(app: FastifyInstance, { maxBytes, maxStuck } = LIMITS): void {
  let progresses: ReadonlyMap<ServerResponse, Progress> = new Map();
  const cutOff = ({ response, caller, unreadBytes }: Progress) => {
    cutOffAtOnce(response);
    app.log.warn({ caller, unreadBytes }, 'A response was cut off: clients leave too much response data unread.');
  };
  const check = () => {
    progresses = new Map(
      [...app.openResponses].map(([response, open]) => [response, follow(response, open, progresses.get(response))]),
    );
    const unread = [...progresses.values()].filter(({ unreadBytes }) => unreadBytes > 0);
    const tooLarge = selectExcess(unread, ({ unreadBytes }) => unreadBytes, maxBytes);
    const tooMany = selectExcess(
      unread.filter((progress) => isStuck(progress) && !tooLarge.has(progress)),
      () => 1,
      maxStuck,
    );
    for (const progress of [...tooLarge, ...tooMany]) cutOff(progress);
  };
  const checking = setInterval(check, CHECKED_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(checking));
  // Closes an idle connection. Node.js does not close it itself, because this listener exists.
  app.server.on('timeout', (socket) => {
    for (const response of app.openResponses.keys()) if (response.socket === socket) cutOffAtOnce(response);
    socket.destroy();
  });
}

function follow(response: ServerResponse, { request, compressor }: OpenResponse, before: Progress | undefined): Progress {
  const { writableLength, socket } = response;
  const writtenBytes = socket?.bytesWritten ?? 0;
  // While the client reads nothing, a compressor keeps the whole piece of the body that it was given last.
  const unreadBytes = writableLength + (compressor?.writableLength ?? 0);
  const isSame = writtenBytes === before?.writtenBytes && unreadBytes === before.unreadBytes;
  const sinceMs = isSame ? before.sinceMs : performance.now();
  return { response, caller: request.context?.caller.id ?? toNetwork(request.ip), writtenBytes, unreadBytes, sinceMs };
}

/**
 * Selects responses so that the sum of the others is at most `most`. Large stuck responses come first, because their clients have
 * probably left. Then come those of the callers with the highest sums. Of one caller, the oldest response comes first.
 */
function selectExcess(progresses: readonly Progress[], weigh: (progress: Progress) => number, most: number): Set<Progress> {
  const sums = new Map<string, number>();
  for (const progress of progresses) sums.set(progress.caller, (sums.get(progress.caller) ?? 0) + weigh(progress));
  let rest = [...sums.values()].reduce((total, sum) => total + sum, 0);
  const selected = new Set<Progress>();
  if (rest <= most) return selected;
  const isFirst = (progress: Progress) => Number(progress.unreadBytes >= LARGE_BYTES && isStuck(progress));
  const sumOf = ({ caller }: Progress) => sums.get(caller) ?? 0;
  // `toSorted` keeps the order of equal elements.
  for (const progress of progresses.toSorted((a, b) => isFirst(b) - isFirst(a) || sumOf(b) - sumOf(a))) {
    if (rest <= most) break;
    selected.add(progress);
    rest -= weigh(progress);
  }
  return selected;
}

function isStuck({ unreadBytes, sinceMs }: Progress): boolean {
  return unreadBytes > 0 && performance.now() - sinceMs >= STUCK_AFTER_MS;
}
