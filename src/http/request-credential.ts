import type { FastifyRequest } from 'fastify';
import { type Credential, createCredential } from '../auth/credential.js';
import { rejectOtherOrigins } from './same-origin.js';

/**
 * Reads the credential of a request; null if it has none. An authorization header wins over a cookie, even if its token is wrong.
 * @param sessionCookie the name of the cookie that contains a session; null if sessions are not accepted
 * @throws GatewayError PermissionError if the request has a session, and a page of another origin may have caused it
 */
export function readCredential(request: FastifyRequest, sessionCookie: string | null): Credential | null {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined) return createCredential('token', readSecret(authorization));
  const session = sessionCookie === null ? null : readCookie(cookie, sessionCookie);
  if (session === null) return null;
  rejectOtherOrigins(request);
  return createCredential('session', session);
}

/** Reads `<token>` or `Bearer <token>`. `Bearer` may be in upper or lower case, and whitespace may surround the value. */
export function readSecret(authorization: string): string {
  return authorization.trim().replace(/^bearer\s+/i, '');
}

/**
 * Returns the value of a cookie, or null. Unleash, like most servers, takes the first of several cookies with one name. The value
 * is decoded, because a client can encode each character in several ways, and all encodings of a session must share one budget. A
 * malformed value becomes an empty text, which is never a session.
 */
export function readCookie(header: string | undefined, name: string): string | null {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? [];
  const encoded = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
}
