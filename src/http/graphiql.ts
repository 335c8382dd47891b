import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { pathOf } from './request-path.js';
import { createSecurityHeaders } from './security-headers.js';

const IDE_DIR = fileURLToPath(new URL('../web/ide', import.meta.url));

/** The IDE may load files only from this server, and connect to no other host. Monaco sets styles inline. */
const SECURITY_HEADERS = createSecurityHeaders({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'worker-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
});

/** The path of the IDE, relative to `/` and to `/graphql`. */
export const IDE_PAGE = 'graphiql/';

/**
 * Serves the bundled GraphiQL at `/graphiql`. Its files contain no data and need no token; its queries need one.
 * @param isHome whether `/` redirects to GraphiQL
 */
export async function registerGraphiql(app: FastifyInstance, isHome: boolean): Promise<void> {
  await app.register(async (ide) => {
    ide.addHook('onRoute', (route) => {
      route.config = { ...route.config, isOpen: true };
    });
    ide.addHook('onRequest', async (_request, reply) => {
      reply.headers(SECURITY_HEADERS).header('vary', 'accept-encoding');
    });
    await ide.register(fastifyStatic, { root: IDE_DIR, prefix: '/graphiql/', preCompressed: true });
    // The router matches the path with and without a slash at the end, but the page's relative links need the slash. The redirect
    // is relative too, so that a proxy can mount the gateway below a prefix.
    ide.get('/graphiql', (request, reply) => {
      const hasSlash = pathOf(request.url).endsWith('/');
      return hasSlash ? reply.sendFile('index.html') : reply.redirect(IDE_PAGE, 308);
    });
    if (isHome) ide.get('/', (_request, reply) => reply.redirect(IDE_PAGE, 302));
  });
}
