import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

/** The budget of a minute, of which one search takes a quarter at most. */
const BUDGET = 8_000;
const EVENTS = 10_000;
const COST_OF_ALL_ROWS = EVENTS / 10 - 50;

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway('empty', { GRAPHQL_COST_PER_MINUTE: String(BUDGET) });
  await gateway.prisma.$executeRaw`
    INSERT INTO events (type, created_by, feature_name, data)
    SELECT 'feature-updated', 'x', 'flag-' || n % 10, json_build_object('n', n, 'text', 'abcdef')
    FROM generate_series(1, ${EVENTS}::int) AS n`;
});
beforeEach(async () => {
  token = await gateway.createToken({ role: 'VIEWER' });
});
afterAll(() => gateway.stop());

const chargedFor = async (field: string): Promise<{ cost: number; charged: number }> => {
  const { body } = await gateway.postJson('/graphql', { query: `{ ${field} }`, extensions: { cost: true } }, { token });
  expect(body.errors).toBeUndefined();
  return body.extensions.cost;
};

test.each([
  ['a text without an index → all rows', '(first: 1, filter: {query: "de"}) { nodes { id } }', COST_OF_ALL_ROWS],
  ['a text in one flag → the rows of the flag', '(first: 1, filter: {query: "de", features: ["flag-1"]}) { nodes { id } }', 50],
  ['no text → no rows but those returned', '(first: 1, filter: {features: ["flag-1"]}) { nodes { id } totalCount }', 0],
])('%s', async (_, search, rows) => {
  const { cost, charged } = await chargedFor(`events${search}`);
  expect(charged - cost).toBe(rows);
});

test('an offset, and values of a list → charged', async () => {
  const values = Array.from({ length: 300 }, (_, n) => `"f${n}"`).join();
  const offset = await chargedFor('searchEvents(filter: {}, limit: 1, offset: 9000) { events { id } }');
  expect(offset.charged - offset.cost).toBe(90);
  const list = await chargedFor(`events(first: 1, filter: {features: [${values}]}) { nodes { id } }`);
  expect(list.charged - list.cost).toBe(290);
});

test('a total that is already counted → free, as for a client that asks for changes', async () => {
  const total = 'events(filter: {query: "cde"}) { totalCount }';
  await chargedFor(total);
  const again = await chargedFor(total);
  expect(again.charged).toBe(again.cost);
});

test('a budget that does not suffice for the rows → 429 over GraphQL and REST', async () => {
  const search = '/api/admin/search/events?query=de&limit=1';
  const statuses: number[] = [];
  for (let n = 0; n < 10; n += 1) statuses.push((await gateway.send(search, { token })).status);
  const served = statuses.filter((status) => status === 200).length;
  expect([served, statuses.at(-1)]).toEqual([Math.floor(BUDGET / (COST_OF_ALL_ROWS + 51)), 429]);
  const { status, body, headers } = await gateway.graphql(
    '{ events(first: 1, filter: {query: "de"}) { nodes { id } } }',
    {},
    { token },
  );
  expect([status, body.data, body.errors[0].extensions.name]).toEqual([429, undefined, 'TooManyRequestsError']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});
