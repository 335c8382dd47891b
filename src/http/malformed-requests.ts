import type { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type ErrorLog, GatewayError } from '../errors.js';
import { findOpenResponse } from './open-response.js';

/** The time that a client has to read an error response. Then the connection is closed, even if the client keeps sending. */
const LINGER_MS = 2_000;

/** Returns a handler that responds to requests that Node could not parse as HTTP, or that did not arrive in time. */
export function respondToMalformedRequests(log: ErrorLog) {
  return (cause: NodeJS.ErrnoException & { rawPacket?: unknown }, socket: Socket) => {
    if (cause.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    // An error cannot be sent while the response to an earlier request on the connection is being written.
    if (findOpenResponse(socket)?.headersSent) return void socket.destroy();
    const isHead = Buffer.isBuffer(cause.rawPacket) && cause.rawPacket.toString('latin1', 0, 5) === 'HEAD ';
    respond(socket, toError(cause), log, isHead);
  };
}

/** Refuses requests for a tunnel, which Node does not pass to Fastify. */
export function refuseConnect(server: Server, log: ErrorLog): void {
  server.on('connect', (_request, socket) => {
    // Without a listener, an error of the socket would end the process. The socket closes after an error anyway.
    socket.on('error', () => undefined);
    if (findOpenResponse(socket)) return void socket.destroy();
    respond(socket, new GatewayError('BadDataError', 'The method CONNECT is not supported.'), log, false);
  });
}

/** Refuses upgrades whose headers do not fit the protocol of WebSockets. Otherwise, `ws` would respond in plain text. */
export function refuseInvalidUpgrades(websockets: EventEmitter, log: ErrorLog): void {
  websockets.on('wsClientError', (_cause: Error, socket: Duplex) => {
    const error = new GatewayError('BadDataError', 'The headers of the request are not those of a WebSocket of version 13.');
    respond(socket, error, log, false, 'sec-websocket-version: 13\r\n');
  });
}

/** Rejects requests of HTTP/1.1 without a host header. Node would respond to them without a body. */
export function rejectMissingHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    const isMissing = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    done(isMissing ? new GatewayError('BadDataError', 'The request has no host header.') : undefined);
  });
}

/**
 * Writes a response to a socket for which there is no response object, and closes the connection.
 * @param headers more headers, each with its line break
 */
function respond(socket: Duplex, error: GatewayError, log: ErrorLog, isHead: boolean, headers = ''): void {
  error.logTo(log);
  const body = JSON.stringify(error.toBody());
  socket.end(
    `HTTP/1.1 ${error.status} ${error.name}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n${headers}\r\n${isHead ? '' : body}`,
  );
  // Discards further input first: closing a socket with unread input resets the connection, and the client can lose the response.
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.resume().once('close', () => clearTimeout(cut));
}

function toError({ code }: NodeJS.ErrnoException): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new GatewayError('PayloadTooLargeError', 'The URL and headers are larger than 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new GatewayError('RequestTimeoutError', 'The request did not arrive in time.');
  return new GatewayError('BadDataError', 'The request is not valid HTTP.');
}
