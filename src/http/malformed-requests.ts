import type { Socket } from 'node:net';
import { type ErrorLog, GatewayError } from '../errors.js';

/** How long a client that sent what is no HTTP, or sent it too slowly, has to read the answer, also if it goes on sending. */
const LINGER_MS = 2_000;

/** Answers what Node could not parse as HTTP, or had to wait for too long. */
export function respondToMalformedRequests(log: ErrorLog) {
  return (cause: NodeJS.ErrnoException & { rawPacket?: unknown }, socket: Socket) => {
    if (cause.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    // Behind a request whose answer is on its way, there is nowhere to say it.
    if (isResponding(socket)) return void socket.destroy();
    const error = toError(cause);
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

function toError({ code }: NodeJS.ErrnoException): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new GatewayError('PayloadTooLargeError', 'The URL and headers are larger than 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new GatewayError('RequestTimeoutError', 'The request took too long to arrive.');
  return new GatewayError('BadDataError', 'The request is not valid HTTP.');
}

/** As Node itself looks at it, where nobody listens for such errors. */
function isResponding(socket: Socket): boolean {
  const { _httpMessage } = socket as Socket & { _httpMessage?: { readonly headersSent: boolean } | null };
  return _httpMessage?.headersSent === true;
}
