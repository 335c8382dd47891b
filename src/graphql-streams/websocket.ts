import type { WebSocket } from '@fastify/websocket';
import { CloseCode, type Server } from 'graphql-ws';
import { isNestedDeeper, MAX_JSON_NESTING } from '../formats/raw-json.js';

const PING_EVERY_MS = 12_000;

/** A client that does not respond to a ping for this long has gone, or reads nothing. */
const STUCK_MS = 30_000;

export interface WebsocketOptions {
  /** Closes the connection at once, with all that is buffered. */
  readonly reset: () => void;
  /** Completes a message of graphql-ws. */
  readonly write: (message: string) => string;
}

/** Passes the messages of a WebSocket to graphql-ws. */
export function serveWebsocket<Extra>(
  socket: WebSocket,
  server: Server<Extra>,
  extra: Extra,
  { reset, write }: WebsocketOptions,
): void {
  let stuck: NodeJS.Timeout | null = null;
  const pinging = setInterval(() => {
    if (stuck) return;
    stuck = setTimeout(reset, STUCK_MS);
    socket.ping();
  }, PING_EVERY_MS);
  socket.on('pong', () => {
    clearTimeout(stuck ?? undefined);
    stuck = null;
  });

  const reject = () => socket.close(CloseCode.BadRequest, 'The message is not valid.');
  const closed = server.opened(
    {
      protocol: socket.protocol,
      // A stream reads its next result once this one was passed to the operating system.
      send(message) {
        const text = write(message);
        return new Promise((resolve) => {
          if (socket.readyState === socket.OPEN) socket.send(text, () => resolve());
          else resolve();
        });
      },
      close: (code, reason) => socket.close(code, reason),
      onMessage: (receive) =>
        socket.on('message', (data) => {
          const text = String(data);
          if (isNestedDeeper(text, MAX_JSON_NESTING)) reject();
          else receive(text).catch(reject);
        }),
    },
    extra,
  );
  socket.once('close', (code, reason) => {
    clearInterval(pinging);
    clearTimeout(stuck ?? undefined);
    void closed(code, String(reason));
  });
}
