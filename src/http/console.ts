import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { pathOf } from './request-path.js';
import { createSecurityHeaders } from './security-headers.js';

/** The output of src/web/console/build.mjs. */
const CONSOLE_DIR = fileURLToPath(new URL('../../dist/web/console', import.meta.url));

/** The console loads files only from this server, connects to no other host, and writes no text as HTML. */
const SECURITY_HEADERS = createSecurityHeaders({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'connect-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  'require-trusted-types-for': ["'script'"],
});

/** The paths of the pages. All of them get the same HTML file, whose script shows the page of the path. */
const PAGES = ['/', '/invite', '/events/:id', '/flags/:name', '/projects/:id', '/people/:name'];

export interface ConsoleOptions {
  /** Whether the pages link to the IDE. */
  readonly hasIde: boolean;
  /** Whether a session cookie may replace the API token. */
  readonly acceptsSessions: boolean;
}

/** Serves the console. Its files contain no data and need no token; its requests need one. */
export async function registerConsole(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const page = readPage(options);
  await app.register(async (console) => {
    console.addHook('onRoute', (route) => {
      route.config = { ...route.config, isOpen: true };
    });
    console.addHook('onRequest', async (_request, reply) => {
      reply.headers(SECURITY_HEADERS).header('vary', 'accept-encoding');
    });
    // The names of these files contain a hash of their contents.
    await console.register(fastifyStatic, {
      root: path.join(CONSOLE_DIR, 'assets'),
      prefix: '/console/',
      preCompressed: true,
      immutable: true,
      maxAge: '1y',
    });
    for (const url of PAGES) {
      console.get(url, (request, reply) =>
        reply
          .type('text/html; charset=utf-8')
          .header('cache-control', 'no-cache')
          .send(page.replaceAll('%ROOT%', rootOf(request.url))),
      );
    }
  });
}

function readPage({ hasIde, acceptsSessions }: ConsoleOptions): string {
  return readFileSync(path.join(CONSOLE_DIR, 'index.html'), 'utf8')
    .replace('%IDE%', String(hasIde))
    .replace('%SESSIONS%', String(acceptsSessions));
}

/** Returns the relative path from a page to the root of the gateway, so that a proxy can mount the gateway below a prefix. */
function rootOf(url: string): string {
  // The router also serves the URL `*` as `/`. There are no slashes in that URL.
  const slashes = pathOf(url).split('/').length - 1;
  return '../'.repeat(Math.max(0, slashes - 1)) || './';
}
