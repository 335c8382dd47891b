import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the gateway sent; tests look into it
  readonly body: any;
}

export interface RawRequest {
  readonly method: string;
  /** An API token; null for none. */
  readonly token: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** Whoever is silent for longer has hung. */
const TIMEOUT_MS = 60_000;

/** Sends the path as it is: `fetch` would resolve dots in it. */
export function sendRaw(url: string, path: string, raw: RawRequest): Promise<Answer> {
  const { method, token, headers, body } = raw;
  const { hostname, port } = new URL(url);
  const options = { method, headers: { ...(token !== null && { authorization: token }), ...headers }, timeout: TIMEOUT_MS };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, ...options }, async (response) => {
      try {
        const isCompressed = response.headers['content-encoding'] === 'gzip';
        const received = (await buffer(isCompressed ? response.pipe(createGunzip()) : response)).toString();
        const isJson = response.headers['content-type']?.includes('json') === true && received !== '';
        const parsed = isJson ? JSON.parse(received) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received, body: parsed });
      } catch (error) {
        reject(error);
      }
    });
    request.on('timeout', () => request.destroy(new Error(`nothing was heard for ${TIMEOUT_MS} ms`)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      // A connection that was kept may be closed at the moment it is used again; the client of HTTP then sends the request anew.
      const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (isStale) sendRaw(url, path, raw).then(resolve, reject);
      else reject(error);
    });
    request.end(body);
  });
}

/** Sends bytes that need not be HTTP. @returns all that came back until the connection was closed */
export function sendBytes(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {}); // Closed while it was being sent.
  socket.end(bytes);
  return text(socket).catch(() => '');
}

/** Of all answers in what a connection gave; one follows the body of another without a break. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
