import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const IDE_DIR = fileURLToPath(new URL('../web/ide', import.meta.url));

/** All of the IDE comes from this server; it may run no script and reach no host but this one. Monaco sets styles inline. */
const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
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
  },
};

/** GraphiQL at `/graphiql`, bundled with the gateway. Its files are open: they hold nothing, and queries need a token. */
export async function registerGraphiql(app: FastifyInstance): Promise<void> {
  await app.register(async (ide) => {
    ide.addHook('onRoute', (route) => {
      route.config = { ...route.config, isOpen: true };
    });
    ide.addHook('onRequest', async (_request, reply) => {
      await reply.helmet({ contentSecurityPolicy: CONTENT_SECURITY_POLICY });
      reply.header('vary', 'accept-encoding');
    });
    await ide.register(fastifyStatic, { root: IDE_DIR, prefix: '/graphiql/', preCompressed: true });
    // The router takes both paths for the same. The page's links are relative to the one with the slash, and so is this redirect, so that
    // all of it may be mounted below a prefix.
    ide.get('/graphiql', (request, reply) => {
      const hasSlash = new URL(request.url, 'http://gateway').pathname.endsWith('/');
      return hasSlash ? reply.sendFile('index.html') : reply.redirect('graphiql/', 308);
    });
  });
}
