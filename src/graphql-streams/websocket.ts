import { randomBytes } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { CloseCode, type Server } from 'graphql-ws';
import { isNestedDeeper, MAX_JSON_NESTING } from '../formats/raw-json.js';

const PING_EVERY_MS = 12_000;

/** The time after which a client that does not respond to a ping counts as gone. */
const STUCK_MS = 30_000;

/** The length of a ping's random text. A client cannot guess the text, so it cannot respond to a ping that it has not read. */
const PING_BYTES = 8;

/** While more than this is unsent, the gateway reads no further messages of the client, since each may cause a response. */
const MAX_BUFFERED_BYTES = 64 * 1024;

export interface WebsocketOptions {
  /** Closes the connection at once, and drops all that is buffered. */
  readonly reset: () => void;
  /** Puts the payload into a message of graphql-ws (text-payload.ts). */
  readonly write: (message: string) => string;
}

/** Passes the messages of a WebSocket to graphql-ws. */
export function serveWebsocket<Extra>(
  socket: WebSocket,
  server: Server<Extra>,
  extra: Extra,
  { reset, write }: WebsocketOptions,
): void {
  const { send, pong } = createSender(socket);
  const stopPings = pingRegularly(socket, reset);
  socket.on('ping', pong);

  const reject = () => socket.close(CloseCode.BadRequest, 'The message is not valid.');
  const closed = server.opened(
    {
      protocol: socket.protocol,
      // The promise resolves once the message was passed to the operating system. A stream then reads its next result.
      send: (message) => send(write(message)),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (receive) =>
        socket.on('message', (data) => {
          // Messages still arrive while the connection is being closed.
          if (socket.readyState !== socket.OPEN) return;
          const text = String(data);
          if (isNestedDeeper(text, MAX_JSON_NESTING)) reject();
          else receive(text).catch(reject);
        }),
    },
    extra,
  );
  socket.once('close', (code, reason) => {
    stopPings();
    void closed(code, String(reason));
  });
}

/** Creates a sender of messages. Stops reading from a client that does not read, since responses could fill the memory. */
function createSender(socket: WebSocket) {
  const pauseIfFull = () => {
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.pause();
  };
  const resumeIfRead = () => {
    if (socket.isPaused && socket.bufferedAmount <= MAX_BUFFERED_BYTES) socket.resume();
  };
  return {
    send(text: string): Promise<void> {
      return new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN) return resolve();
        socket.send(text, () => {
          resumeIfRead();
          resolve();
        });
        pauseIfFull();
      });
    },
    pong(data: Buffer): void {
      if (socket.readyState !== socket.OPEN) return;
      socket.pong(data, false, resumeIfRead);
      pauseIfFull();
    },
  };
}

/** Pings a client, and resets its connection if it does not respond. @returns a function that stops the pings */
function pingRegularly(socket: WebSocket, reset: () => void): () => void {
  let pending: { readonly text: Buffer; readonly stuck: NodeJS.Timeout } | null = null;
  const pinging = setInterval(() => {
    if (pending) return;
    pending = { text: randomBytes(PING_BYTES), stuck: setTimeout(reset, STUCK_MS) };
    socket.ping(pending.text);
  }, PING_EVERY_MS);
  socket.on('pong', (text: Buffer) => {
    if (!pending?.text.equals(text)) return;
    clearTimeout(pending.stuck);
    pending = null;
  });
  return () => {
    clearInterval(pinging);
    clearTimeout(pending?.stuck);
  };
}
