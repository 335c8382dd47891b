import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** The directives of a content security policy, and the sources of each. */
type Directives = Readonly<Record<string, Iterable<string>>>;

/** Returns Helmet's headers with this policy. They do not depend on the request, so callers compute them once. */
export function createSecurityHeaders(directives: Directives): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name.toLowerCase(), value),
    removeHeader: () => undefined,
  };
  const setHeaders = helmet({ contentSecurityPolicy: { useDefaults: false, directives } });
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return Object.fromEntries(headers);
}

/** The headers of all responses except the pages of the console and the IDE. Only those pages need to load anything. */
const SECURITY_HEADERS = createSecurityHeaders({ 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] });

export function registerSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    done();
  });
}
