import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

/** The budget of a minute, of which one search takes a quarter at most. */
const BUDGET = 8_000;
/** Number of events with a text, and of events of a project, which do not have the text. */
const WITH_TEXT = 10_000;
const OWN = 2_000;
const COST_OF_ALL_ROWS = (WITH_TEXT + OWN) / 10 - 50;

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway('empty', { GRAPHQL_COST_PER_MINUTE: String(BUDGET), DATABASE_POOL_SIZE: '2' });
  await gateway.prisma.$executeRaw`
    INSERT INTO events (type, created_by, feature_name, data)
    SELECT 'feature-updated', 'x', 'flag-' || n % 10, json_build_object('n', n, 'text', 'abcdef')
    FROM generate_series(1, ${WITH_TEXT}::int) AS n`;
  await gateway.prisma.$executeRaw`
    INSERT INTO events (type, created_by, project) SELECT 'feature-updated', 'x', 'own' FROM generate_series(1, ${OWN}::int)`;
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

test('the feed since an instant → charged for the index entries since then; from the start or from now → no extra charge', async () => {
  const extra = async (after: string): Promise<number> => {
    const { cost, charged } = await chargedFor(`eventFeed(after: "${after}", first: 1) { cursor }`);
    return charged - cost;
  };
  const { createdAt } = await gateway.prisma.event.findFirstOrThrow({ where: { project: 'own' } });
  expect(await extra(createdAt.toISOString())).toBe(OWN / 100);
  expect(await extra('2001-01-01T00:00:00Z')).toBe(0);
  expect(await extra('9999-01-01T00:00:00Z')).toBe(0);
  expect([await extra('start'), await extra('now')]).toEqual([0, 0]);
});

test('a total that is already counted → free, as for a client that asks for changes', async () => {
  const total = 'events(filter: {query: "cd"}) { totalCount }';
  const first = await chargedFor(total);
  expect(first.charged - first.cost).toBe(COST_OF_ALL_ROWS);
  const again = await chargedFor(total);
  expect(again.charged).toBe(again.cost);
});

test('a total that is not counted yet → charged for the entries of the index; HEAD of a flag → 1', async () => {
  const count = await chargedFor('events(first: 0, filter: {features: ["flag-1", "flag-2"]}) { totalCount }');
  expect(count.charged - count.cost).toBe((2 * WITH_TEXT) / 10 / 100);
  const before = Number(
    (await gateway.send('/api/admin/events/flag-1', { method: 'HEAD', token })).headers['ratelimit-remaining'],
  );
  const after = await gateway.send('/api/admin/events/flag-1', { method: 'HEAD', token });
  expect(Number(after.headers['ratelimit-remaining'])).toBe(before - 1);
});

test('counts by group → the rows that they read, once; kept results never cost more than a repetition', async () => {
  const counts = 'eventCounts(by: PROJECT, filter: {query: "ab"}) { total groups { key count } }';
  const extra = async () => {
    const { cost, charged } = await chargedFor(counts);
    return charged - cost;
  };
  expect(await extra()).toBe(COST_OF_ALL_ROWS + Math.floor(WITH_TEXT / 15));
  // The removal of an event ends the epoch, so the next request counts all events again.
  const { id } = await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'x' } });
  await gateway.prisma.event.delete({ where: { id } });
  expect(await extra()).toBe(Math.floor(WITH_TEXT / 15));
  // The last of these responses is a kept one.
  expect([await extra(), await extra(), await extra(), await extra()]).toEqual([0, 0, 0, 0]);
});

test('counts by minute, which are not kept → all rows each time, also if the total is counted', async () => {
  await chargedFor('events(filter: {query: "ef"}) { totalCount }');
  const counts = 'eventCounts(interval: MINUTE, filter: {query: "ef"}) { total buckets { count } }';
  for (let run = 0; run < 3; run += 1) {
    const { cost, charged } = await chargedFor(counts);
    expect(charged - cost).toBe(COST_OF_ALL_ROWS + Math.floor(WITH_TEXT / 15));
  }
});

test('a page of a frequent text whose total is cached → charged for the rows up to the end of the page', async () => {
  await chargedFor('events(filter: {query: "bc"}) { totalCount }');
  const page = await chargedFor('searchEvents(filter: {query: "bc"}, limit: 10, offset: 1000) { events { id } }');
  expect(page.charged - page.cost).toBe(1000 / 100 + Math.floor((((WITH_TEXT + OWN) / WITH_TEXT) * 1010) / 10) - 50);
});

test('a token of one project → the same price for a text of another project and for one that is nowhere', async () => {
  token = await gateway.createToken({ role: 'VIEWER', projects: ['own'] });
  const [elsewhere, nowhere] = [
    await chargedFor('events(first: 1, filter: {query: "abcdef"}) { nodes { id } }'),
    await chargedFor('events(first: 1, filter: {query: "zqxjkv"}) { nodes { id } }'),
  ];
  expect(elsewhere.charged).toBe(nowhere.charged);
  expect(elsewhere.charged - elsewhere.cost).toBe(OWN / 10 - 50);
});

test('a budget that is not divisible → whole numbers, and a search takes a quarter at most', async () => {
  const small = await startTestGateway('empty', { GRAPHQL_COST_PER_MINUTE: '2002' });
  try {
    await small.prisma
      .$executeRaw`INSERT INTO events (type, created_by) SELECT 'feature-updated', 'x' FROM generate_series(1, 20000)`;
    const query = '{ events(first: 1, filter: {query: "de"}) { nodes { id } } }';
    const { body, headers } = await small.postJson('/graphql', { query, extensions: { cost: true } });
    expect(body.extensions.cost).toMatchObject({ cost: 51, charged: 51 + 500 });
    expect(Number(headers['ratelimit-remaining'])).toBe(2002 - 551);
  } finally {
    await small.stop();
  }
});

test('fields that still wait when another field has failed → nothing is read or charged for them', async () => {
  const failing = 'failing: events(first: 1, last: 1) { totalCount }';
  const waiting = Array.from({ length: 19 }, (_, n) => `f${n}: events(first: 1, filter: {query: "w${n}"}) { nodes { id } }`);
  await gateway.graphql(`{ ${failing} ${waiting.join(' ')} }`, {}, { token });
  // The first of these requests waits for its turn behind the remaining fields. The second one tells what those were charged.
  const after = () => gateway.postJson('/graphql', { query: '{ event(id: 1) { id } }', extensions: { cost: true } }, { token });
  await after();
  const spent = BUDGET - (await after()).body.extensions.cost.budget.remaining;
  expect(spent).toBeLessThan(4 * COST_OF_ALL_ROWS);
});

test('a budget that does not suffice for the rows → 429 over GraphQL and REST', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 10; n += 1)
    statuses.push((await gateway.send(`/api/admin/search/events?query=${n}q&limit=1`, { token })).status);
  const served = statuses.filter((status) => status === 200).length;
  expect([served, statuses.at(-1)]).toEqual([Math.floor(BUDGET / (COST_OF_ALL_ROWS + 51)), 429]);
  const { status, body, headers } = await gateway.graphql(
    '{ events(first: 1, filter: {query: "qq"}) { nodes { id } } }',
    {},
    { token },
  );
  expect([status, body.data, body.errors[0].extensions.name]).toEqual([429, undefined, 'TooManyRequestsError']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
});

test('the same search again, whose result is kept → charged as before, and 429 over GraphQL and REST in the end', async () => {
  const query = '{ events(first: 1, filter: {query: "kk"}) { nodes { id } } }';
  const { charged } = await chargedFor('events(first: 1, filter: {query: "kk"}) { nodes { id } }');
  const begin = BUDGET - charged;
  const send = async (path: string) =>
    path === '/graphql'
      ? gateway.graphql(query, {}, { token })
      : gateway.send('/api/admin/search/events?query=kk&limit=1', { token });
  for (let left = begin; left >= charged; left -= charged) {
    const { status, headers } = await send('/graphql');
    expect([status, Number(headers['ratelimit-remaining'])]).toEqual([200, left - charged]);
  }
  const paths = ['/graphql', '/api/admin/search/events', '/graphql', '/api/admin/search/events'];
  for (const path of paths) expect((await send(path)).status).toBe(429);
});
