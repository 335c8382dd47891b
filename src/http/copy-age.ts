import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether responses of the route contain events of the log. */
    readsLog?: boolean;
  }
}

export const COPY_AGE_HEADER = 'mirror-complete-at';

/**
 * Sets a header on responses from a log that is an old copy. Such a response is `no-store` and never a 304, because a cache would
 * keep the header after the copy is up to date again (docs/decisions/032-age-of-a-mirror.md).
 * @param findOldCopy returns the value of the header; null while the log is up to date
 */
export function reportOldCopy(app: FastifyInstance, findOldCopy: () => string | null): void {
  app.addHook('onRequest', ({ routeOptions, headers }, reply, done) => {
    const value = routeOptions.config.readsLog ? findOldCopy() : null;
    if (value !== null) {
      reply.header(COPY_AGE_HEADER, value);
      delete headers['if-none-match'];
    }
    done();
  });
  app.addHook('onSend', (_, reply, __, done) => {
    if (reply.hasHeader(COPY_AGE_HEADER)) reply.removeHeader('etag').header('cache-control', 'no-store');
    done();
  });
}
