import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config.js';
import { startGateway } from '../../src/gateway.js';
import { startHttpServer } from '../support/http-server.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const TOKEN = 'tracing-token';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase('log');
});
afterAll(() => testDatabase.drop());

/** Starts a trace collector that stores the spans it receives. */
async function startCollector() {
  const spans: ExportedSpan[] = [];
  const server = await startHttpServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { ...server, spans };
}

test('a request with a traceparent header → it and its queries are spans of that trace, without values', async () => {
  const collector = await startCollector();
  try {
    const env = {
      PORT: '0',
      GRAPHIQL: 'false',
      LOG_LEVEL: 'silent',
      INIT_ADMIN_API_TOKENS: TOKEN,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
    const gateway = await startGateway(parseConfig({ ...env, ...testDatabase.env }));
    const headers = { authorization: TOKEN, 'content-type': 'application/json', traceparent: `00-${TRACE}-${PARENT}-01` };
    const send = async (path: string, body?: object) => {
      const response = await fetch(`${gateway.url}${path}`, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return [response.status, await response.json()] as const;
    };
    expect((await send('/api/admin/search/events?query=sought'))[0]).toBe(200);
    expect((await send('/graphql', { query: 'query Mine { events(first: 1) { nodes { id } } }' }))[0]).toBe(200);
    const [status, created] = await send('/api/admin/invite-link/tokens', { name: 'traced', expiresAt: '2099-01-01T00:00:00Z' });
    expect(status).toBe(201);
    await gateway.stop();

    const ofTrace = collector.spans.filter(({ traceId }) => traceId === TRACE);
    const requests = ofTrace.filter(({ parentSpanId }) => parentSpanId === PARENT);
    expect(requests.map(({ name }) => name)).toEqual(['rest searchEvents', 'graphql events', 'rest createPublicSignupToken']);
    const hasChild = (index: number, name: string) =>
      ofTrace.some((span) => span.name === name && span.parentSpanId === requests[index]?.spanId);
    expect([hasChild(0, 'query'), hasChild(1, 'query'), hasChild(2, 'prisma:client:transaction')]).toEqual([true, true, true]);
    expect(requests[1]?.attributes).toContainEqual({ key: 'gateway.operation', value: { stringValue: 'Mine' } });
    const text = JSON.stringify(collector.spans);
    for (const value of [TOKEN, 'sought', (created as { secret: string }).secret]) expect(text).not.toContain(value);
  } finally {
    await collector.stop();
  }
});

test('a collector that does not respond → requests succeed, and the gateway stops in time', async () => {
  const silent = await startHttpServer(() => undefined);
  try {
    const env = { PORT: '0', LOG_LEVEL: 'silent', INIT_ADMIN_API_TOKENS: TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: silent.url };
    const gateway = await startGateway(parseConfig({ ...env, ...testDatabase.env }));
    expect((await fetch(`${gateway.url}/api/admin/search/events`, { headers: { authorization: TOKEN } })).status).toBe(200);
    // Without a limit of the gateway, the exporter waits for ten seconds.
    const late = setTimeout(8_000, 'late', { ref: false });
    expect(await Promise.race([gateway.stop(), late])).toBeUndefined();
    expect(silent.requests).toHaveLength(1);
  } finally {
    await silent.stop();
  }
});
