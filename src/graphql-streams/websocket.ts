import { randomBytes } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { CloseCode, type Server } from 'graphql-ws';
import { isNestedDeeper, MAX_JSON_NESTING } from '../formats/raw-json.js';

const PING_EVERY_MS = 12_000;

/** The time after which a client that does not respond to a ping counts as gone. */
const STUCK_MS = 30_000;

/** The length of a ping's random text. A client cannot guess the text, so it cannot respond to a ping that it has not read. */
const PING_BYTES = 8;

/** A long message is sent in pieces of this size, since Node.js does not tell how much of a piece the client has read. */
const PIECE_BYTES = 64 * 1024;

/** While more than this of its replies is unsent, the gateway reads no further messages of a client. */
const MAX_REPLY_BYTES = 64 * 1024;

/** The most unsent results, with the same effect. A subscription has one at most, but a client can complete it and start another. */
const MAX_RESULTS = 32;

/** The longest pong. */
const PONG_BYTES = 131;

export interface WebsocketOptions {
  /** Closes the connection at once, and drops all that is buffered. */
  readonly reset: () => void;
  /** Puts the payload into a message of graphql-ws (text-payload.ts), and tells whether the message is a result. */
  readonly write: (message: string) => { readonly text: string; readonly isResult: boolean };
}

/** Passes the messages of a WebSocket to graphql-ws. */
export function serveWebsocket<Extra>(
  socket: WebSocket,
  server: Server<Extra>,
  extra: Extra,
  { reset, write }: WebsocketOptions,
): void {
  const pings = pingRegularly(socket, reset);
  const { sendResult, sendReply, pong } = createSender(socket, pings.postpone);
  socket.on('ping', pong);

  const reject = () => socket.close(CloseCode.BadRequest, 'The message is not valid.');
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (message) => {
        const { text, isResult } = write(message);
        return isResult ? sendResult(text) : sendReply(text);
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
}

/**
 * Creates functions that send messages, one after the other. Stops reading messages of a client that leaves their responses unread,
 * since these could otherwise fill the memory.
 * @param onRead called when the client has read enough for another piece of a long message to be sent
 */
function createSender(socket: WebSocket, onRead: () => void) {
  let [sending, results, replyBytes] = [Promise.resolve(), 0, 0];
  const pauseIfFull = () => {
    if (replyBytes > MAX_REPLY_BYTES || results > MAX_RESULTS) socket.pause();
    else if (socket.isPaused) socket.resume();
  };
  const sendPiece = (piece: Buffer, isLast: boolean) =>
    new Promise<void>((resolve) => {
      if (socket.readyState === socket.OPEN) socket.send(piece, { binary: false, fin: isLast }, () => resolve());
      else resolve();
    });
  const sendMessage = async (bytes: Buffer) => {
    for (let start = 0, end = PIECE_BYTES; start < bytes.length; start = end, end += PIECE_BYTES) {
      await sendPiece(bytes.subarray(start, end), end >= bytes.length);
      if (end < bytes.length) onRead();
    }
  };
  const enqueue = async (send: () => Promise<void>) => {
    sending = sending.then(send);
    await sending;
  };
  return {
    /** Resolves once the result was passed to the operating system. The stream then reads its next result. */
    async sendResult(text: string): Promise<void> {
      results += 1;
      pauseIfFull();
      await enqueue(() => sendMessage(Buffer.from(text)));
      results -= 1;
      pauseIfFull();
    },

    /** Sends any other message, which may respond to one of the client. */
    async sendReply(text: string): Promise<void> {
      const bytes = Buffer.from(text);
      replyBytes += bytes.length;
      pauseIfFull();
      await enqueue(() => sendMessage(bytes));
      replyBytes -= bytes.length;
      pauseIfFull();
    },

    /** Responds to a ping. A pong may come between two pieces of a message. */
    pong(data: Buffer): void {
      if (socket.readyState !== socket.OPEN) return;
      replyBytes += PONG_BYTES;
      socket.pong(data, false, () => {
        replyBytes -= PONG_BYTES;
        pauseIfFull();
      });
      pauseIfFull();
    },
  };
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
    /** Restarts the time to respond to a ping, which waits behind a long message that the client is reading. */
    postpone: () => void pending?.stuck.refresh(),

    stop(): void {
      clearInterval(pinging);
      clearTimeout(pending?.stuck);
    },
  };
}
