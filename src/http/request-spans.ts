import type { FastifyInstance } from 'fastify';
import { endRequestSpan, startRequestSpan, withinSpan } from '../telemetry/tracing.js';
import { nameOperation } from './operation-name.js';

type Span = ReturnType<typeof startRequestSpan>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request. Null if requests are not traced, and for a request that reaches no hook. */
    span: Span | null;
  }
}

/** Starts a span for each request. The spans of its queries are children of that span. */
export function registerSpans(app: FastifyInstance): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _, done) => {
    request.span = startRequestSpan(request.headers);
    withinSpan(request.span, done);
  });
  // Enters the span again: after the body was read, hooks run in the async context of the connection and no longer in the span.
  app.addHook('preValidation', ({ span }, _, done) => (span ? withinSpan(span, done) : done()));
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { span, method, routeOptions, id, statistics } = request;
    if (span) {
      endRequestSpan(span, nameOperation(request), statusCode, {
        'http.request.method': method,
        // The span contains the route pattern and never the URL, which may contain the secret of an invite link.
        'http.route': routeOptions.url,
        'gateway.request_id': id,
        'gateway.operation': statistics.operation ?? undefined,
        'gateway.cost': statistics.cost,
      });
    }
    done();
  });
}
