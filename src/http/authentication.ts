import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../auth/authenticate.js';
import type { Caller } from '../auth/caller.js';
import type { GatewayError } from '../errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends the request; set before anything of its body is read. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Served without a token. */
    isOpen?: boolean;
  }
}

export interface AuthenticationOptions {
  readonly authenticate: Authenticate;
  /** What every request is told while what all answers come from is known not to answer; else null. */
  readonly findOutage: () => GatewayError | null;
}

/** Tells who sends a request. @throws GatewayError where that is not known or not let in */
export type AuthenticateRequest = (request: FastifyRequest) => Promise<Caller>;

export function createAuthenticateRequest({ authenticate, findOutage }: AuthenticationOptions): AuthenticateRequest {
  return ({ headers, ip }) => {
    // Before anything else: of a token, nothing can be told while it is away.
    const outage = findOutage();
    return outage ? Promise.reject(outage) : authenticate(headers.authorization, ip);
  };
}

/** A route is closed unless its `config.isOpen` says otherwise. */
export function registerAuthentication(app: FastifyInstance, authenticateRequest: AuthenticateRequest): void {
  // biome-ignore lint/style/noNonNullAssertion: set by the hook below before any handler of a closed route runs
  app.decorateRequest('caller', null!);
  app.addHook('onRequest', async (request, reply) => {
    if (!isClosed(request)) return;
    reply.header('cache-control', 'no-store');
    request.caller = { ...(await authenticateRequest(request)), signal: untilClosed(reply) };
  });
}

/** Behind a proxy that is not known, all clients are one address: a few wrong tokens of one would keep the others out. */
export function warnOfProxy(app: FastifyInstance): void {
  let isTold = false;
  app.addHook('onRequest', ({ headers, ip, log }, _, done) => {
    if (!isTold && headers['x-forwarded-for'] !== undefined) {
      isTold = true;
      log.warn(
        { address: ip },
        'A proxy seems to be in front of the gateway. Name its address in TRUSTED_PROXIES, for its clients to be told apart.',
      );
    }
    done();
  });
}

/** Aborted when the client goes away before it has its answer. */
function untilClosed({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Unknown paths of the API are as closed as known ones: a stranger does not learn which are which. */
function isClosed(request: FastifyRequest): boolean {
  if (request.is404) return isApiUrl(request.url);
  return request.routeOptions.config.isOpen !== true;
}

/** Also where it is written with an origin or with escapes, both of which the router reads through. For it, a path ends at # too. */
function isApiUrl(url: string): boolean {
  const [path = ''] = url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/);
  return /^\/api(?:\/|$)/i.test(decodeURIComponent(path));
}
