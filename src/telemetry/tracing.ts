import { setTimeout } from 'node:timers/promises';
import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** The time limit for sending the last spans at shutdown. */
const LAST_SPANS_MS = 1_000;

/** Returns a tracer whose spans are discarded unless tracing is started. */
const tracer = () => trace.getTracer('flag-admin-gateway');

/**
 * Sends traces to a collector, as OTLP over HTTP. OpenTelemetry's variables for the service, sampling and the headers of the
 * exporter apply.
 * @param endpoint the URL of the collector, without `/v1/traces`; null for none
 * @returns a function that sends the remaining spans and stops
 */
export async function startTracing(endpoint: string | null): Promise<() => Promise<void>> {
  if (endpoint === null) return async () => undefined;
  // The SDK is loaded only for tracing, because tracking the context of a request makes every promise slower.
  const [
    { NodeTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes, envDetector, detectResources },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const named = resourceFromAttributes({ 'service.name': 'flag-admin-gateway' });
  const provider = new NodeTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }))],
  });
  provider.register();
  return async () => {
    // An unavailable collector must not delay the shutdown.
    await Promise.race([provider.shutdown().catch(() => undefined), setTimeout(LAST_SPANS_MS, undefined, { ref: false })]);
    trace.disable();
    context.disable();
    propagation.disable();
  };
}

/** Starts the span of a request, as part of the trace that its headers name. */
export function startRequestSpan(headers: object): Span {
  const parent = propagation.extract(context.active(), headers);
  return tracer().startSpan('request', { kind: SpanKind.SERVER }, parent);
}

/** Runs a function within a span: spans that start in the function become children of the span. */
export function withinSpan<T>(span: Span, run: () => T): T {
  return context.with(trace.setSpan(context.active(), span), run);
}

/** Ends the span of a request, and names it after the operation. */
export function endRequestSpan(span: Span, name: string, status: number, attributes: Attributes): void {
  span.updateName(name);
  span.setAttributes({ 'http.response.status_code': status, ...attributes });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Runs a query in a child span of the current one. The query text contains no values. */
export async function traceQuery<T>(text: string, query: () => Promise<T>): Promise<T> {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  const span = tracer().startSpan('query', { kind: SpanKind.CLIENT, attributes });
  try {
    return await query();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
