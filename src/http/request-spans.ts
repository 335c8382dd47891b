import type { FastifyInstance } from 'fastify';
import { endRequestSpan, startRequestSpan, withinSpan } from '../telemetry/tracing.js';
import { nameOperation } from './operation-name.js';

type Span = ReturnType<typeof startRequestSpan>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where requests are not traced, and for what reaches no hook. */
    span: Span | null;
  }
}

/** Makes each request a span, within which its queries are. */
export function registerSpans(app: FastifyInstance): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _, done) => {
    request.span = startRequestSpan(request.headers);
    withinSpan(request.span, done);
  });
  // What comes after the reading of a body runs in the context of the connection.
  app.addHook('preValidation', ({ span }, _, done) => (span ? withinSpan(span, done) : done()));
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { span, method, routeOptions, id, statistics } = request;
    if (span) {
      endRequestSpan(span, nameOperation(request), statusCode, {
        'http.request.method': method,
        // The pattern, never the URL: it may hold the secret of an invitation.
        'http.route': routeOptions.url,
        'gateway.request_id': id,
        'gateway.operation': statistics.operation ?? undefined,
        'gateway.cost': statistics.cost,
      });
    }
    done();
  });
}
