import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticate } from '../auth/authenticate.js';
import type { Caller } from '../auth/caller.js';
import type { GatewayError } from '../errors.js';
import { createLoopTurns } from '../limits/loop-turns.js';
import type { RequestContext } from '../request-context.js';
import { readCredential } from './request-credential.js';
import { createRequestSignal } from './request-signal.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The context of an authenticated request, set before its body is read. Null for all other requests. */
    context: RequestContext;
  }
  interface FastifyInstance {
    authenticateRequest: AuthenticateRequest;
  }
  interface FastifyContextConfig {
    /** Whether the route is served without a credential. */
    isOpen?: boolean;
    /** Whether a WebSocket without a token may be opened. It is authenticated when its first message arrives. */
    acceptsTokenInFirstMessage?: boolean;
  }
}

export interface AuthenticationOptions {
  readonly authenticate: Authenticate;
  /** The name of the cookie that contains a session; null if sessions are not accepted. */
  readonly sessionCookie: string | null;
  /** Returns the error that every request gets while the database is unavailable; otherwise null. */
  readonly findOutage: () => GatewayError | null;
}

/** Returns the caller of a request. @throws GatewayError if the request cannot be authenticated */
export type AuthenticateRequest = (request: FastifyRequest) => Promise<Caller>;

export function createAuthenticateRequest({
  authenticate,
  sessionCookie,
  findOutage,
}: AuthenticationOptions): AuthenticateRequest {
  return async (request) => {
    // The outage comes first, since no token can be checked while the database is unavailable.
    const outage = findOutage();
    if (outage) throw outage;
    return authenticate(readCredential(request, sessionCookie), request.ip);
  };
}

/**
 * Authenticates requests to every route, except routes with `config.isOpen`. A WebSocket without a token in its headers is
 * authenticated later.
 */
export function registerAuthentication(app: FastifyInstance, authenticateRequest: AuthenticateRequest): void {
  const { beginInTurn, holdForConnection } = createLoopTurns();
  // New connections come before requests, see limits/connection-hold.ts.
  app.server.on('connection', holdForConnection);
  app.decorate('authenticateRequest', authenticateRequest);
  // biome-ignore lint/style/noNonNullAssertion: set by the hook below before any handler of a closed route runs
  app.decorateRequest('context', null!);
  app.addHook('onRequest', async (request, reply) => {
    if (!needsCredential(request) || isAuthenticatedLater(request)) return;
    reply.header('cache-control', 'no-store');
    const caller = await authenticateRequest(request);
    request.context = {
      caller,
      signal: createRequestSignal(reply),
      log: request.log,
      reauthenticate: () => authenticateRequest(request),
      statistics: request.statistics,
    };
    const turn = beginInTurn(caller.id);
    if (!turn) return;
    await turn;
    // The client may have disconnected meanwhile.
    request.context.signal.throwIfAborted();
  });
}

/** Warns once of a request with `x-forwarded-for` if no proxy is trusted. All clients then share the address of the proxy. */
export function warnOfProxy(app: FastifyInstance): void {
  let hasWarned = false;
  app.addHook('onRequest', ({ headers, ip, log }, _, done) => {
    if (!hasWarned && headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      log.warn(
        { address: ip },
        'The gateway seems to be behind a proxy. Set TRUSTED_PROXIES to the address of the proxy, so that its clients can be told apart.',
      );
    }
    done();
  });
}

/** Whether a request needs a credential. Unknown API paths need one too, so that only authenticated clients learn which exist. */
function needsCredential(request: FastifyRequest): boolean {
  if (request.is404) return isApiUrl(request.url);
  return request.routeOptions.config.isOpen !== true;
}

/** Whether a WebSocket may send a token in its first message, as browsers do. Such a token wins over a cookie in the headers. */
function isAuthenticatedLater({ ws, headers, routeOptions }: FastifyRequest): boolean {
  return ws && routeOptions.config.acceptsTokenInFirstMessage === true && headers.authorization === undefined;
}

/** Whether a URL belongs to the API. Reads the path as the router does: without an origin, decoded, and up to `?` or `#`. */
function isApiUrl(url: string): boolean {
  const [path = ''] = url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/);
  return /^\/(?:api|v1)(?:\/|$)/i.test(decodeURIComponent(path));
}
