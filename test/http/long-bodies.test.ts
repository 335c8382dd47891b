import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Event } from '../../src/events/event.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const EVENTS = 40;
/** Characters of one to four bytes, for texts of a few kilobytes. */
const TEXT = 'aé€😀"\\\n'.repeat(400);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('empty');
  await gateway.prisma.event.createMany({
    data: Array.from({ length: EVENTS }, (_, n) => ({
      type: 'feature-updated',
      createdBy: 'ada',
      featureName: 'long',
      data: { n, text: TEXT },
    })),
  });
});
afterAll(() => gateway.stop());

const expected = Array.from({ length: EVENTS }, (_, n) => ({ n: EVENTS - 1 - n, text: TEXT }));
const dataOf = (events: readonly { readonly data: unknown }[]) => events.map(({ data }) => data);

const QUERY = '{ searchEvents(limit: 100) { events { data } } }';
// A document with a directive runs without an operation plan, so its list is not JSON text.
const QUERY_WITHOUT_PLAN = '{ searchEvents(limit: 100) { events { data @include(if: true) } } }';

test.each(['/api/admin/search/events?limit=100', '/api/admin/events/long'])(
  '%s → the whole body, with its length in bytes',
  async (path) => {
    const { status, headers, text, body } = await gateway.send(path);
    expect({ status, data: dataOf(body.events) }).toEqual({ status: 200, data: expected });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(text.length).toBeGreaterThan(64 * 1024);
  },
);

test.each([QUERY, QUERY_WITHOUT_PLAN])('%s over GraphQL → the whole body, with its length in bytes', async (query) => {
  const { status, headers, text, body } = await gateway.graphql(query);
  expect({ status, data: dataOf(body.data.searchEvents.events) }).toEqual({ status: 200, data: expected });
  expect(headers['content-type']).toMatch(/^application\/.*json; charset=utf-8$/);
  expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  expect(text.length).toBeGreaterThan(64 * 1024);
});

test('the same, compressed → the same text', async () => {
  const headers = { 'accept-encoding': 'gzip', 'content-type': 'application/json' };
  const path = '/api/admin/search/events?limit=100';
  const compressed = await gateway.send(path, { headers });
  expect(compressed.headers['content-encoding']).toBe('gzip');
  expect(compressed.text).toBe((await gateway.send(path)).text);
  const body = JSON.stringify({ query: QUERY });
  const response = await gateway.send('/graphql', { method: 'POST', body, headers });
  expect(response.headers['content-encoding']).toBe('gzip');
  expect(response.text).toBe((await gateway.graphql(QUERY)).text);
});

test.each([
  // The limits differ from those above, because a cached response reads no events.
  ['REST', () => gateway.send('/api/admin/search/events?limit=99')],
  ['GraphQL', () => gateway.graphql('{ searchEvents(limit: 99) { events { data } } }')],
])('a page over %s → each of its events is released', async (_, request) => {
  const release = jest.spyOn(Event.prototype, 'release');
  try {
    await request();
    expect(release).toHaveBeenCalledTimes(EVENTS);
  } finally {
    release.mockRestore();
  }
});
