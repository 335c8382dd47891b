import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';

export interface PipelineLimits {
  /** With this many waiting requests, nothing more is read from a connection. The last read can contain further requests. */
  readonly waiting: number;
  /** The most bytes that the waiting requests of a connection take. Large headers make a request take 100 kB. */
  readonly bytes: number;
  /** The most bytes that the waiting requests of all connections take together. */
  readonly bytesTogether: number;
}

const LIMITS: PipelineLimits = { waiting: 16, bytes: 2 * 1024 * 1024, bytesTogether: 16 * 1024 * 1024 };

/** Estimates in bytes: a waiting request without its headers, and what the name or value of a header takes besides its characters. */
const BYTES_OF_REQUEST = 3_000;
const BYTES_OF_TEXT = 40;

/** The waiting requests of a connection. */
interface Waiting {
  count: number;
  bytes: number;
}

/**
 * Handles the pipelined requests of a connection one after the other. Node.js passes them to the handler at once. It would keep
 * finished responses in memory until the responses before them are sent, and Node.js 20 and 22 close only the first of these
 * responses when the client disconnects.
 */
export function handleInOrder(handle: RequestListener, log: FastifyBaseLogger, limits = LIMITS): RequestListener {
  const connections = new Map<Socket, Waiting>();
  let bytesTogether = 0;

  const forget = (socket: Socket) => {
    bytesTogether -= connections.get(socket)?.bytes ?? 0;
    connections.delete(socket);
  };

  const add = (socket: Socket, bytes: number): Waiting => {
    const waiting = connections.get(socket) ?? { count: 0, bytes: 0 };
    if (!connections.has(socket)) socket.once('close', () => forget(socket));
    connections.set(socket, waiting);
    waiting.count += 1;
    waiting.bytes += bytes;
    bytesTogether += bytes;
    return waiting;
  };

  const reset = (socket: Socket) => {
    forget(socket);
    socket.resetAndDestroy();
    log.warn('A connection was reset: its waiting pipelined requests took too much memory.');
  };

  /** Returns the connection whose waiting requests take the most memory. */
  const findLargest = () => {
    const [largest] = [...connections].reduce((one, other) => (other[1].bytes > one[1].bytes ? other : one));
    return largest;
  };

  return (request, response) => {
    if (response.socket) {
      handle(request, response);
      return;
    }
    const { socket } = request;
    // Node.js still parses what was read before the connection was reset.
    if (socket.destroyed) return;
    const bytes = measure(request);
    const waiting = add(socket, bytes);
    const begin = () => {
      // Node.js assigns even a destroyed connection to this response if the previous response was complete, but not sent.
      if (!socket.writable) return;
      waiting.count -= 1;
      waiting.bytes -= bytes;
      bytesTogether -= bytes;
      if (waiting.count === 0) socket.resume();
      handle(request, response);
    };
    // Node.js assigns the connection to a response once all responses before it are sent. If the client has disconnected, the
    // request is forgotten. `bind` keeps the trace of the request before out of this one.
    response.once('socket', AsyncResource.bind(begin));
    // Node.js resumes the connection at the end of each message, so the pause begins after the messages that were read together.
    if (waiting.count >= limits.waiting) process.nextTick(() => waiting.count > 0 && socket.pause());
    if (waiting.bytes > limits.bytes) reset(socket);
    else if (bytesTogether > limits.bytesTogether) reset(findLargest());
  };
}

/** Returns the memory of a waiting request in bytes. Node.js reads no more of a body than fits into the buffer of its stream. */
function measure({ url = '', rawHeaders, headers, readableHighWaterMark }: IncomingMessage): number {
  const bodyBytes = Number(headers['content-length'] ?? (headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : 0));
  const rest = BYTES_OF_REQUEST + url.length + Math.min(bodyBytes, readableHighWaterMark);
  return rawHeaders.reduce((sum, { length }) => sum + length + BYTES_OF_TEXT, rest);
}
