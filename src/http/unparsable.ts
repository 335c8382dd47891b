import type { Socket } from 'node:net';
import { type ErrorLog, GatewayError } from '../errors.js';

/** How long a client that sent what is no HTTP, or sent it too slowly, has to read the answer, also if it goes on sending. */
const LINGER_MS = 2_000;

/** Answers what Node could not parse as HTTP, or had to wait for too long. */
export function answerUnparsable(log: ErrorLog) {
  return (cause: NodeJS.ErrnoException & { rawPacket?: unknown }, socket: Socket) => {
    if (cause.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    const error =
      cause.code === 'HPE_HEADER_OVERFLOW'
        ? new GatewayError('PayloadTooLargeError', 'The URL and headers are larger than 16 KiB.')
        : new GatewayError('BadDataError', 'The request is not valid HTTP.');
    error.logTo(log);
    const body = JSON.stringify(error.toBody());
    const isHead = Buffer.isBuffer(cause.rawPacket) && cause.rawPacket.toString('latin1', 0, 5) === 'HEAD ';
    socket.end(
      `HTTP/1.1 ${error.status} ${error.name}\r\ncontent-type: application/json; charset=utf-8\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${isHead ? '' : body}`,
    );
    // Closing with something unread resets the connection, which can take the answer away from under the client.
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.resume().once('close', () => clearTimeout(cut));
  };
}
