import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const COUNT = 20;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('empty');
  // The insertion is fast, because a repeated letter adds few trigrams to the free-text index of tags.
  await gateway.prisma.$executeRaw`
    INSERT INTO events (type, created_by, feature_name, tags)
    SELECT 'feature-tagged', 'x', flag, json_build_array(json_build_object('type', 'simple', 'value', repeat('x', 1000000)))
    FROM (VALUES ('large', ${COUNT}::int), ('half', ${COUNT / 2}::int)) AS flags (flag, count), generate_series(1, count)`;
});
afterAll(() => gateway.stop());

test('GraphQL for a flag with 20 MB of events → 400 that names the connection; its total is served', async () => {
  const list = await gateway.graphql('{ featureEvents(featureName: "large") { events { id storedTags } } }');
  expect([list.status, list.body.errors[0].extensions]).toMatchObject([
    400,
    { name: 'BadDataError', code: 'BAD_USER_INPUT', message: expect.stringContaining('events(filter, first, after)') },
  ]);
  const total = await gateway.graphql('{ featureEvents(featureName: "large") { totalEvents } }');
  expect(total.body.data.featureEvents.totalEvents).toBe(COUNT);
});

test('GraphQL for a flag with 10 MB of events → served; twice in one operation → 400 that names the connection', async () => {
  const list = 'featureEvents(featureName: "half") { events { id storedTags } }';
  for (const query of [`{ ${list} }`, `{ ${list} another: featureEvents(featureName: "missing") { events { id storedTags } } }`])
    expect((await gateway.graphql(query)).body.data.featureEvents.events).toHaveLength(COUNT / 2);
  const twice = await gateway.graphql(`{ ${list} again: ${list} }`);
  expect([twice.status, twice.body.errors[0].extensions]).toMatchObject([
    400,
    { name: 'BadDataError', message: expect.stringContaining('events(filter, first, after)') },
  ]);
});

test('REST for the same flag → all of them', async () => {
  const { status, body } = await gateway.send('/api/admin/events/large');
  expect([status, body.totalEvents, body.events.length]).toEqual([200, COUNT, COUNT]);
});

test('a caller reads a long list while another one requests a page → the page is served first', async () => {
  await gateway.prisma.$executeRaw`
    INSERT INTO events (type, created_by, feature_name, data)
    SELECT 'feature-updated', 'x', 'long', '{}' FROM generate_series(1, 9999)`;
  const served: string[] = [];
  const read = async (name: string, query: string, options = {}) => {
    const { status } = await gateway.graphql(query, {}, options);
    served.push(`${name} ${status}`);
  };
  await Promise.all([
    read('list', '{ featureEvents(featureName: "long") { events { id } } }'),
    read('page', '{ events(first: 1) { nodes { id } } }', { token: gateway.viewerToken }),
  ]);
  expect(served).toEqual(['page 200', 'list 200']);
});
