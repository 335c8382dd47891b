import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { findOpenResponse } from './open-response.js';

export interface WebsocketOptions {
  /** The only path that accepts a WebSocket. */
  readonly path: RegExp;
  readonly maxMessageBytes: number;
}

/** The time for streams to send their last message once the gateway stops. */
const LAST_MESSAGES_MS = 250;

/** The time for a client to close its side of a WebSocket. */
const CLOSE_MS = 2_000;

/** The most names and values of headers together. Node.js drops those beyond 2,000. */
const MAX_RAW_HEADERS = 1_900;

/** The WebSocket code for a server that stops. */
const GOING_AWAY = 1001;

/**
 * Accepts WebSockets at one path. Requests for them pass Fastify's hooks first. Register this plugin before the hooks, so that
 * they find `request.ws`.
 *
 * Other upgrades are ignored, as the HTTP specification allows. Some clients, such as that of Java, offer HTTP/2 with each
 * request, and expect a normal response.
 */
export async function registerWebsockets(app: FastifyInstance, { path, maxMessageBytes }: WebsocketOptions): Promise<void> {
  const upgrades = new EventEmitter();
  app.server.on('upgrade', (request, socket, head) => {
    if (findOpenResponse(socket)) socket.destroy();
    else if (isWebsocket(request, path)) upgrades.emit('upgrade', request, socket, head);
    else serveWithoutUpgrade(app.server, request, socket, head);
  });
  // The options are a constant, because TypeScript would reject a literal in the call: the types of `ws` lack `closeTimeout`.
  // `autoPong` is off, because the route sends the pongs itself.
  const options = { server: upgrades as Server, maxPayload: maxMessageBytes, autoPong: false, closeTimeout: CLOSE_MS };
  await app.register(websocket, {
    options,
    errorHandler(error: NodeJS.ErrnoException, socket) {
      // After a malformed frame, the library itself closes the connection with the reason.
      if (!error.code?.startsWith('WS_ERR')) socket.terminate();
    },
    preClose(done) {
      const { clients } = this.websocketServer;
      const closing = setTimeout(() => {
        for (const client of clients) client.close(GOING_AWAY, 'The gateway stops.');
      }, LAST_MESSAGES_MS);
      const terminating = setTimeout(() => {
        for (const client of clients) client.terminate();
      }, CLOSE_MS);
      this.server.once('close', () => {
        clearTimeout(closing);
        clearTimeout(terminating);
      });
      done();
    },
  });
}

function isWebsocket({ method, url, headers }: IncomingMessage, path: RegExp): boolean {
  return method === 'GET' && path.test(url ?? '') && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Lets Node.js parse a request once more, without its `Upgrade` header. */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  // Beyond this limit, Node.js may have dropped `Content-Length`. It would then read the body as another request.
  if (rawHeaders.length > MAX_RAW_HEADERS) return void socket.destroy();
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    // Only the header `Upgrade` has to be left out. Without this header, Node.js ignores the option `upgrade` of the headers
    // `Connection` and `Proxy-Connection`.
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
