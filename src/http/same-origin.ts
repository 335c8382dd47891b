import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a GET with a session needs the same proof of its origin as a POST. */
    requiresOriginProof?: boolean;
  }
}

/**
 * Rejects a request with a session cookie if a page of another origin may have caused it (docs/decisions/033-session-cookie.md).
 *
 * A browser adds the cookie to all requests of pages of the same site, and to navigations from any page. A page on another host
 * of the company could then create invitations in the name of an administrator who visits it, or use up their budget. A page
 * cannot set `Sec-Fetch-Site` and `Origin`, so they prove the origin of the page:
 *
 * - `Sec-Fetch-Site` must be `same-origin`. A read may also have `none`, which stands for a URL in the address bar.
 * - Browsers omit `Sec-Fetch-Site` over plain HTTP, and Safari always did before 16.4. `Origin` must then be the request's
 *   origin.
 * - If both headers are missing, only a read is accepted. A browser omits `Origin` from reads of the same origin. Pages of other
 *   origins cannot read the response, since the gateway never allows credentials by CORS.
 *
 * @throws GatewayError PermissionError, before the session is looked up, so that the error does not reveal whether it is valid
 */
export function rejectOtherOrigins(request: FastifyRequest): void {
  if (isSameOrigin(request)) return;
  throw new GatewayError(
    'PermissionError',
    'A request with the session cookie of Unleash must come from a page of the same origin. Behind a proxy, set TRUSTED_PROXIES. ' +
      'A program sends an API token in the authorization header instead.',
  );
}

/** Returns whether the gateway serves the page that sent the request. @param origin the header `Origin` */
export type IsOwnPage = (request: FastifyRequest, origin: string) => boolean;

/**
 * Compares the whole origin, as the specification of MCP requires. If a proxy changes the protocol, pages are accepted only if
 * TRUSTED_PROXIES contains the proxy. This affects few clients, because few clients of MCP are pages.
 */
export const isOfSameOrigin: IsOwnPage = (request, origin) => origin === originOf(request);

/**
 * Compares only the host, so that the gateway's own pages can open WebSockets behind a proxy that terminates TLS: the origin of
 * such a page has `https`, but the gateway sees `http`. `Sec-Fetch-Site: same-origin` suffices as well, but some browsers do not
 * send it.
 */
export const isOfSameHost: IsOwnPage = ({ headers, host }, origin) =>
  headers['sec-fetch-site'] === 'same-origin' || (URL.canParse(origin) && new URL(origin).host === host);

/**
 * Rejects a request of a page of another origin, whatever its credential. Every browser sends `Origin` with the requests that
 * this function checks, and no page can set the header. Other programs omit it. The checked requests are those that CORS does not
 * guard: WebSockets, and messages of MCP.
 * @param corsOrigins the origins of the pages that may read responses by CORS, which are accepted as well
 * @throws GatewayError PermissionError
 */
export function rejectForeignPages(request: FastifyRequest, corsOrigins: readonly string[], isOwnPage: IsOwnPage): void {
  const { origin } = request.headers;
  if (origin === undefined || corsOrigins.includes(origin) || isOwnPage(request, origin)) return;
  throw new GatewayError(
    'PermissionError',
    'Pages of this origin are not accepted. Add the origin to CORS_ORIGINS if its pages may read responses of this gateway.',
  );
}

function isSameOrigin(request: FastifyRequest): boolean {
  const { method, headers, routeOptions } = request;
  const { 'sec-fetch-site': site, origin } = headers;
  const isRead = (method === 'GET' || method === 'HEAD') && routeOptions.config?.requiresOriginProof !== true;
  switch (site) {
    case 'same-origin':
      return true;
    case 'none':
      return isRead;
    case undefined:
      return origin === undefined ? isRead : origin === originOf(request);
    default:
      return false;
  }
}

/** Returns the origin of the request's URL; null if its host is not valid. A trusted proxy may name the protocol and the host. */
function originOf({ protocol, host }: FastifyRequest): string | null {
  const url = `${protocol}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : null;
}
