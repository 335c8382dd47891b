import { randomBytes } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { CloseCode, type Server } from 'graphql-ws';
import { isNestedDeeper, MAX_JSON_NESTING } from '../formats/raw-json.js';
import { MessageQueue } from './message-queue.js';

const PING_EVERY_MS = 12_000;

/** The time that a client has to respond to a ping. After this time, its connection is reset. */
const STUCK_MS = 30_000;

/** The size of a ping's random text. A client cannot guess the text, so it cannot respond to a ping that it has not read. */
const PING_BYTES = 8;

export interface WebsocketOptions {
  /** Closes the connection at once, and drops all buffered data. */
  readonly reset: () => void;
  /** Puts the payload into a message (text-payload.ts). `resultOf` is the id of a result's subscription, or else null. */
  readonly write: (message: string) => { readonly text: string; readonly resultOf: string | null };
}

/** Passes the messages of a client to graphql-ws. Returns the queue of the messages to the client. */
export function serveWebsocket<Extra>(
  socket: WebSocket,
  server: Server<Extra>,
  extra: Extra,
  { reset, write }: WebsocketOptions,
): MessageQueue {
  const pings = pingRegularly(socket, reset);
  const messages = new MessageQueue(socket, pings.postpone);
  socket.on('ping', (data: Buffer) => messages.pong(data));

  const reject = () => socket.close(CloseCode.BadRequest, 'The message is not valid.');
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (message) => {
        const { text, resultOf } = write(message);
        return messages.send(text, resultOf);
      },
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
    pings.stop();
    void closed(code, String(reason));
  });
  return messages;
}

/** Pings a client, and resets its connection if it does not respond. */
function pingRegularly(socket: WebSocket, reset: () => void) {
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
  return {
    /** Restarts the time limit for the pong. The ping may wait behind a long message that the client is still reading. */
    postpone: () => void pending?.stuck.refresh(),

    stop(): void {
      clearInterval(pinging);
      clearTimeout(pending?.stuck);
    },
  };
}
