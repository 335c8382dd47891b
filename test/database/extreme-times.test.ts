import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

/** From the newest to the oldest, in PostgreSQL's order. */
const TIMES = [
  ['infinity', '+275760-09-13T00:00:00.000Z'],
  ['294276-12-31 23:59:59Z', '+275760-09-13T00:00:00.000Z'],
  ['20000-02-29 00:00Z', '+020000-02-29T00:00:00.000Z'],
  ['10000-01-01 00:00Z', '+010000-01-01T00:00:00.000Z'],
  ['9999-12-31 23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['2026-01-01 00:00Z', '2026-01-01T00:00:00.000Z'],
  ['0001-01-01 00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0001-02-29 00:00Z BC', '+000000-02-29T00:00:00.000Z'],
  ['0044-03-15 00:00Z BC', '-000043-03-15T00:00:00.000Z'],
  ['4714-11-24 00:00Z BC', '-004713-11-24T00:00:00.000Z'],
  ['-infinity', '-271821-04-20T00:00:00.000Z'],
] as const;
const WIRE = TIMES.map(([, wire]) => wire);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('empty');
  for (const [stored] of TIMES)
    await gateway.prisma.$executeRaw`
      INSERT INTO events (type, created_by, created_at, feature_name) VALUES ('feature-created', 'x', ${stored}::text::timestamptz, 'odd')`;
});
afterAll(() => gateway.stop());

test('REST → all of them in order, with extended years', async () => {
  for (const path of ['search/events?limit=1000', 'search/events?offset=1', 'events/odd']) {
    const { status, body } = await gateway.send(`/api/admin/${path}`);
    expect(status).toBe(200);
    expect(body.events.map(({ createdAt }: { createdAt: string }) => createdAt)).toEqual(
      path.includes('offset=1') ? WIRE.slice(1) : WIRE,
    );
  }
});

test.each([1, 3])('pages of %s by cursors, in both directions → all of them', async (size) => {
  for (const [take, cursor, edge] of [
    ['first', 'after', 'endCursor'],
    ['last', 'before', 'startCursor'],
  ] as const) {
    let found: string[] = [];
    let at: string | null = null;
    do {
      const query: string = `query ($at: String) { events(${take}: ${size}, ${cursor}: $at) { nodes { createdAt } pageInfo { hasNextPage hasPreviousPage ${edge} } } }`;
      const { status, body } = await gateway.graphql(query, { at });
      expect([status, body.errors]).toEqual([200, undefined]);
      const page = body.data.events.nodes.map(({ createdAt }: { createdAt: string }) => createdAt);
      found = take === 'first' ? [...found, ...page] : [...page, ...found];
      const { hasNextPage, hasPreviousPage } = body.data.events.pageInfo;
      at = (take === 'first' ? hasNextPage : hasPreviousPage) ? body.data.events.pageInfo[edge] : null;
    } while (at !== null);
    expect(found).toEqual(WIRE);
  }
});

test.each([
  'infinity,x',
  '20001-02-29T00:00:00.000000Z AD,1',
  '4714-11-23T00:00:00.000000Z BC,1',
  '294277-01-01T00:00:00.000000Z AD,1',
  '20000-01-01T00:00:00.000000Z,1',
])('the cursor of %s → 400', async (text) => {
  const query = 'query ($at: String) { events(first: 1, after: $at) { nodes { id } } }';
  const { status, body } = await gateway.graphql(query, { at: Buffer.from(text).toString('base64url') });
  expect([status < 500, body.errors[0].extensions.code]).toEqual([true, 'BAD_USER_INPUT']);
});
