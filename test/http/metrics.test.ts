import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('log');
});
afterAll(() => gateway.stop());

test('/metrics without a token → requests by operation and status, and no texts of clients', async () => {
  await gateway.send('/api/admin/search/events?limit=1&feature=IS:private');
  await gateway.send('/api/admin/search/events?limit=0&query=private');
  await gateway.graphql('query Private { mine: event(id: 1) { id } }');
  await gateway.graphql('query Private { event(id: 1) { id } events { totalCount } }');
  await gateway.send('/private-path', { token: null });

  const { status, headers, text } = await gateway.send('/metrics', { token: null });
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain\b/);
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'gateway_requests_total{operation="rest searchEvents",status="200"} 1',
      'gateway_requests_total{operation="rest searchEvents",status="400"} 1',
      'gateway_requests_total{operation="graphql event",status="200"} 1',
      'gateway_requests_total{operation="graphql several",status="200"} 1',
      'gateway_requests_total{operation="unknown",status="404"} 1',
      'gateway_cost_total{operation="rest searchEvents"} 11',
      'gateway_database_up 1',
    ]),
  );
  expect(text).toMatch(/^gateway_request_seconds_count\{operation="rest searchEvents"\} 2$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text.toLowerCase()).not.toMatch(/private|mine/);
});

test('requests beyond a limit per minute → counted by limit in /metrics', async () => {
  const limited = await startTestGateway('empty', { FAILED_LOGINS_PER_MINUTE: '1', GRAPHQL_COST_PER_MINUTE: '1' });
  try {
    await limited.send('/api/admin/search/events?limit=1');
    for (const token of ['a wrong token', 'another one']) await limited.send('/api/admin/search/events', { token });
    const { text } = await limited.send('/metrics', { token: null });
    expect(text.match(/^gateway_rate_limited_total.*$/gm)?.sort()).toEqual([
      'gateway_rate_limited_total{limit="cost"} 1',
      'gateway_rate_limited_total{limit="failed_logins"} 1',
    ]);
  } finally {
    await limited.stop();
  }
});

test('a request → one line in the log with operation, caller, cost, status, duration and id', async () => {
  const { headers } = await gateway.graphql('query Newest { events(first: 2) { nodes { id } } }');
  const lines = gateway.log.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === headers['x-request-id']);
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'request',
      operation: 'Newest',
      caller: 'test admin',
      cost: 12,
      status: 200,
      durationMs: expect.any(Number),
    }),
  ]);
});

test('every metric of docs/operations.md exists, and every metric of the gateway is there', async () => {
  const pages = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const section = /^## Metrics and alerts\n([\s\S]*?)^## /m.exec(pages)?.[1] ?? '';
  const documented = new Set(
    section.match(/\b(?:gateway|nodejs)_[a-z0-9_]+[a-z0-9]\b/g)?.map((name) => name.replace(/_bucket$/, '')),
  );
  const { text } = await gateway.send('/metrics', { token: null });
  const existing = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  expect([...documented].filter((name) => !existing.includes(name))).toEqual([]);
  expect(existing.filter((name) => name.startsWith('gateway_') && !documented.has(name))).toEqual([]);
});
