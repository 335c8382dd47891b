import { setTimeout } from 'node:timers/promises';
import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** How long the last spans may take on their way. */
const LAST_SPANS_MS = 1_000;

/** Spans that go nowhere unless tracing was started. */
const tracer = () => trace.getTracer('flag-admin-gateway');

/**
 * Sends traces to a collector, as OTLP over HTTP. Of OpenTelemetry's other variables, those of the service, of sampling and of the exporter's headers are read.
 * @param endpoint the collector, without `/v1/traces`; null for none
 * @returns what sends the rest and stops
 */
export async function startTracing(endpoint: string | null): Promise<() => Promise<void>> {
  if (endpoint === null) return async () => undefined;
  // What is not used is not loaded: to keep the context of a request costs something on every promise.
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
    // A collector that is away keeps nobody from stopping.
    await Promise.race([provider.shutdown().catch(() => undefined), setTimeout(LAST_SPANS_MS, undefined, { ref: false })]);
    trace.disable();
    context.disable();
    propagation.disable();
  };
}

/** Begins the span of a request, as a part of the trace that its headers name. */
export function startRequestSpan(headers: object): Span {
  const parent = propagation.extract(context.active(), headers);
  return tracer().startSpan('request', { kind: SpanKind.SERVER }, parent);
}

/** Runs what belongs to a span: the spans that it begins are children of it. */
export function withinSpan<T>(span: Span, run: () => T): T {
  return context.with(trace.setSpan(context.active(), span), run);
}

/** Ends the span of a request under the name of what was asked. */
export function endRequestSpan(span: Span, name: string, status: number, attributes: Attributes): void {
  span.updateName(name);
  span.setAttributes({ 'http.response.status_code': status, ...attributes });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Runs a query as a part of what it is made for. Its text holds no values. */
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
