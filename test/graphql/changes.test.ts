import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getOperationAST, parse } from 'graphql';
import { createGatewaySchema, type Services } from '../../src/gateway-schema.js';
import { planOperation } from '../../src/graphql/operation-plan.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

/** Two states that differ in spaces and in the order of their keys, as texts of `jsonb` and `json` can. */
const PRE_DATA = '{"weight": 12345678901234567890.10, "b": {"on": false}, "tags": ["x", "y"], "gone": 1}';
const DATA = '{"tags":["y","x"],"b":{"on":true},"weight":12345678901234567890.2}';

const CHANGES = 'changes { complete items { kind path pointer before after } }';
const EXPECTED =
  '{"complete":true,"items":[' +
  '{"kind":"REMOVED","path":["gone"],"pointer":"/gone","before":1,"after":null},' +
  '{"kind":"CHANGED","path":["b","on"],"pointer":"/b/on","before":false,"after":true},' +
  '{"kind":"CHANGED","path":["weight"],"pointer":"/weight","before":12345678901234567890.10,"after":12345678901234567890.2}]}';

const LONG_LENGTH = 100_000;
const LONG_EVENTS = 40;
const BUDGET = 100_000;

let gateway: TestGateway;
let id: number;
beforeAll(async () => {
  gateway = await startTestGateway('empty', { GRAPHQL_COST_PER_MINUTE: String(BUDGET) });
  const rows = await gateway.prisma.$queryRaw<{ id: number }[]>`
    INSERT INTO events (type, created_by, feature_name, data, pre_data)
    VALUES ('feature-updated', 'x', 'changed', ${DATA}::json, ${PRE_DATA}::jsonb),
      ('feature-created', 'x', 'created', '{"a": 1}', NULL), ('feature-deleted', 'x', 'deleted', NULL, '{"a": 1}'),
      ('feature-updated', 'x', 'json-null', 'null', '{"a": 1}'), ('feature-updated', 'x', 'json-null', '{"a": 1}', 'null'),
      ('feature-updated', 'x', 'equal', '{"a":1.0,"b":[]}', '{"b": [], "a": 1}') RETURNING id`;
  id = rows[0]?.id ?? 0;
  await gateway.prisma.$executeRaw`
    INSERT INTO events (type, created_by, feature_name, data, pre_data)
    SELECT 'feature-updated', 'x', 'long', json_build_object('n', n, 'text', repeat('x', ${LONG_LENGTH / 2}::int)),
      jsonb_build_object('n', 0, 'text', repeat('x', ${LONG_LENGTH / 2}::int))
    FROM generate_series(1, ${LONG_EVENTS}::int) AS n`;
});
afterAll(() => gateway.stop());

const post = async (query: string, token = gateway.adminToken) =>
  gateway.postJson('/graphql', { query, extensions: { cost: true } }, { token });
const select = async (query: string) => {
  const { body, text } = await post(query);
  expect(body.errors).toBeUndefined();
  return { body, text };
};

describe('changes of an event', () => {
  test.each([
    ['event', () => `event(id: ${id}) { ${CHANGES} }`, (changes: string) => `{"event":{"changes":${changes}}}`],
    [
      'nodes of events',
      () => `events(filter: {features: ["changed"]}) { nodes { ${CHANGES} } }`,
      (changes: string) => `{"events":{"nodes":[{"changes":${changes}}]}}`,
    ],
    [
      'edges of events',
      () => `events(filter: {features: ["changed"]}) { edges { node { ${CHANGES} } } }`,
      (changes: string) => `{"events":{"edges":[{"node":{"changes":${changes}}}]}}`,
    ],
    [
      'searchEvents',
      () => `searchEvents(filter: {features: ["changed"]}) { events { ${CHANGES} } }`,
      (changes: string) => `{"searchEvents":{"events":[{"changes":${changes}}]}}`,
    ],
    [
      'searchEvents with its total',
      () => `searchEvents(filter: {features: ["changed"]}) { total events { ${CHANGES} } }`,
      (changes: string) => `{"searchEvents":{"total":1,"events":[{"changes":${changes}}]}}`,
    ],
    [
      'eventFeed',
      () => `eventFeed(after: "start", first: 5, filter: {features: ["changed"]}) { events { ${CHANGES} } }`,
      (changes: string) => `{"eventFeed":{"events":[{"changes":${changes}}]}}`,
    ],
    [
      'featureEvents',
      () => `featureEvents(featureName: "changed") { events { ${CHANGES} } }`,
      (changes: string) => `{"featureEvents":{"events":[{"changes":${changes}}]}}`,
    ],
  ])('%s → the differences with all digits, by a plan and by graphql-js', async (_, field, toData) => {
    const planned = await select(`{ ${field()} }`);
    expect(planned.text).toContain(`"data":${toData(EXPECTED)}`);
    const interpreted = await select(`{ ${field().replace(' changes', ' changes @include(if: true)')} }`);
    expect(interpreted.text).toContain(`"data":${toData(EXPECTED)}`);
  });

  test.each(['created', 'deleted', 'json-null'])('%s, without two states → null', async (flag) => {
    const { body } = await select(`{ featureEvents(featureName: "${flag}") { events { ${CHANGES} } } }`);
    expect(new Set(body.data.featureEvents.events.map(({ changes }: { changes: unknown }) => changes))).toEqual(new Set([null]));
  });

  test('equal states → no items', async () => {
    const { body } = await select(`{ events(filter: {features: ["equal"]}) { nodes { ${CHANGES} } } }`);
    expect(body.data.events.nodes).toEqual([{ changes: { complete: true, items: [] } }]);
  });
});

test('long changes of one event → served twice; 400 under many aliases', async () => {
  const [row] = await gateway.prisma.$queryRaw<{ id: number }[]>`
    INSERT INTO events (type, created_by, data, pre_data)
    SELECT 'feature-updated', 'x', json_agg(n), jsonb_agg(-n) FROM generate_series(1, 110000) AS n RETURNING id`;
  const read = (aliases: number) => {
    const fields = Array.from({ length: aliases }, (_, index) => `c${index}: changes { items { before after } }`);
    return post(`{ event(id: ${row?.id}) { ${fields.join(' ')} } }`);
  };
  const { body } = await read(2);
  expect(body.data.event.c1).toEqual(body.data.event.c0);
  expect(body.data.event.c0.items[0].after).toHaveLength(110_000);
  const many = await read(12);
  expect([many.status, many.body.errors[0].extensions]).toMatchObject([
    400,
    { name: 'BadDataError', message: expect.stringContaining('select no field twice') },
  ]);
});

test('a query with changes → runs by a plan', () => {
  const document = parse(`{ events(first: 1) { nodes { ${CHANGES} } } }`);
  const operation = getOperationAST(document);
  const schema = createGatewaySchema({ events: {}, eventCounts: {}, eventFeed: {}, signupTokens: {} } as Services);
  expect(operation && planOperation(schema, document, operation)).not.toBeNull();
});

describe('the cost of changes', () => {
  test.each([
    ['without', '', 10 + 5],
    ['with one of its fields', 'changes { complete }', 10 + 5 * (1 + 2)],
    ['with all of its fields', CHANGES, 10 + 5 * (1 + 2)],
    ['with two aliases', `a: ${CHANGES} b: ${CHANGES}`, 10 + 5 * (1 + 2 + 2)],
  ])('five events %s', async (_, selection, cost) => {
    const { body } = await select(`{ events(first: 5, filter: {features: ["equal"]}) { nodes { id ${selection} } } }`);
    expect(body.extensions.cost).toMatchObject({ cost, charged: cost });
  });

  test('long documents → charged by their length, only if they are compared', async () => {
    const token = await gateway.createToken({ role: 'VIEWER' });
    const page = (fields: string) => `{ events(first: 10, filter: {features: ["long"]}) { nodes { ${fields} } } }`;
    const read = (await post(page('data preData'), token)).body.extensions.cost;
    expect(read.charged).toBe(read.cost);
    const { cost, charged } = (await post(page(CHANGES), token)).body.extensions.cost;
    expect(charged - cost).toBeGreaterThanOrEqual((10 * LONG_LENGTH) / 500 - 10 * 2);
    expect(charged - cost).toBeLessThan((10 * (LONG_LENGTH + 100)) / 500);
  });

  test('no budget for so long documents → 429 before they are compared', async () => {
    const token = await gateway.createToken({ role: 'VIEWER' });
    const query = `{ events(first: ${LONG_EVENTS}, filter: {features: ["long"]}) { nodes { changes { complete } } } }`;
    const statuses: number[] = [];
    for (let request = 0; request < BUDGET / ((LONG_EVENTS * LONG_LENGTH) / 500); request += 1)
      statuses.push((await post(query, token)).status);
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
  });
});
