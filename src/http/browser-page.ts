import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathOf } from './request-path.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page that a browser gets instead of this route. Its path is relative to the route, so a proxy can add a prefix. */
    browserPage?: string;
  }
}

/**
 * Redirects a browser that navigates to a route with a `browserPage`. Runs before authentication, because a browser cannot send a
 * token with a navigation.
 */
export function redirectBrowsers(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const page = request.routeOptions.config?.browserPage;
    if (page === undefined || !isNavigation(request)) return;
    const hasSlash = pathOf(request.url).endsWith('/');
    reply.header('vary', 'accept').header('cache-control', 'no-store');
    return reply.redirect(hasSlash ? `../${page}` : page, 302);
  });
}

/** Whether a person opens the URL. Only browsers accept HTML, and a URL with parameters is a request for the route itself. */
function isNavigation({ method, headers, query }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && headers.accept?.includes('text/html') === true && Object.keys(query as object).length === 0;
}
