import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.js';

/**
 * Rejects a WebSocket that a page of another origin opens. CORS does not apply to WebSockets, so the gateway checks `Origin` itself, which
 * every browser sends and no page can set. Pages that may read responses by CORS may open WebSockets, too.
 */
export function rejectForeignPages({ headers, host }: FastifyRequest, corsOrigins: readonly string[]): void {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === undefined || site === 'same-origin' || corsOrigins.includes(origin)) return;
  // A proxy that terminates TLS changes the protocol, but not the host.
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new GatewayError(
    'PermissionError',
    'A page of another origin must not open a WebSocket. Add its origin to CORS_ORIGINS if it may read responses of this gateway.',
  );
}
