import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a response body can be anything; tests inspect it
  readonly body: any;
}

export type { RawResponse as Answer };

export interface RawRequest {
  readonly method: string;
  /** An API token; null for none. */
  readonly token: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** A gateway that is silent for longer hangs. */
const TIMEOUT_MS = 60_000;

/** Sends the path unchanged: `fetch` would resolve dots in it. */
export function sendRaw(url: string, path: string, raw: RawRequest): Promise<RawResponse> {
  const { method, token, headers, body } = raw;
  const { hostname, port } = new URL(url);
  const options = { method, headers: { ...(token !== null && { authorization: token }), ...headers }, timeout: TIMEOUT_MS };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, ...options }, async (response) => {
      try {
        const isCompressed = response.headers['content-encoding'] === 'gzip' && method !== 'HEAD';
        const received = (await buffer(isCompressed ? response.pipe(createGunzip()) : response)).toString();
        const isJson = /\bjson\b/.test(response.headers['content-type'] ?? '') && received !== '';
        const parsed = isJson ? JSON.parse(received) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received, body: parsed });
      } catch (error) {
        reject(error);
      }
    });
    request.on('timeout', () => request.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The gateway can close an idle connection at the moment it is used again. HTTP clients then repeat the request.
      const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (isStale) sendRaw(url, path, raw).then(resolve, reject);
      else reject(error);
    });
    request.end(body);
  });
}

/** Sends bytes that may not be HTTP. @returns everything that is received until the connection is closed */
export function sendBytes(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {}); // The gateway closes the connection early.
  socket.end(bytes);
  return text(socket).catch(() => '');
}

/** Returns the status of each response on a connection. A response follows the body of the one before without a break. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
