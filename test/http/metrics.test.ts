import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('log');
});
afterAll(() => gateway.stop());

test('/metrics counts requests by operation and status, without a token and without what clients send', async () => {
  await gateway.send('/api/admin/search/events?limit=1&query=private');
  await gateway.send('/api/admin/search/events?limit=0');
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
      'gateway_cost_total{operation="rest searchEvents"} 51',
      'gateway_database_up 1',
    ]),
  );
  expect(text).toMatch(/^gateway_request_seconds_count\{operation="rest searchEvents"\} 2$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text.toLowerCase()).not.toMatch(/private|mine/);
});

test('a request is one line of the log: its operation, caller, cost, status, time and id', async () => {
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
