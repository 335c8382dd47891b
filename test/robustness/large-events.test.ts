import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { openFeed } from '../support/read-feed.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

// The events have 18 million characters together, a page at an offset at most 12 million, and a page with a cursor 4 million.
const EVENTS = 18;
const CHARACTERS = 1_000_000;
const FITTING = Math.ceil((12 * 1024 * 1024) / CHARACTERS);
const FITTING_BY_CURSOR = Math.ceil((4 * 1024 * 1024) / CHARACTERS);
const SEARCH = '/api/admin/search/events';

let gateway: TestGateway;
let newestFirst: number[];
beforeAll(async () => {
  gateway = await startTestGateway('empty');
  await addEvents('large', EVENTS, CHARACTERS);
  newestFirst = (await gateway.prisma.event.findMany({ select: { id: true }, orderBy: { id: 'desc' } })).map(({ id }) => id);
});
afterAll(() => gateway.stop());

/** Adds events with a long tag. The insertion is fast: a repeated letter adds few trigrams to the free-text index of tags. */
const addEvents = (flag: string, count: number, characters: number) => gateway.prisma.$executeRaw`
  INSERT INTO events (type, created_by, feature_name, tags)
  SELECT 'feature-tagged', 'x', ${flag}, json_build_array(json_build_object('type', 'simple', 'value', repeat('x', ${characters}::int)))
  FROM generate_series(1, ${count}::int)`;

interface Page {
  nodes: { id: number }[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

async function readConnection(args: string): Promise<Page> {
  const query = `{ events(${args}) { totalCount nodes { id tags { value } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
  const { status, body } = await gateway.graphql(query);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data.events;
}

const idsOf = (events: readonly { id: number }[]) => events.map(({ id }) => id);

test('a search that does not fit → 400 that says how many events fit, which are then returned', async () => {
  const response = await gateway.send(`${SEARCH}?limit=1000`);
  expectError(response, 400, 'BadDataError');
  expect(response.body.message).toContain(`the first ${FITTING} events fit`);

  const { status, body } = await gateway.send(`${SEARCH}?limit=${FITTING}`);
  expect(status).toBe(200);
  expect([idsOf(body.events), body.totalEvents ?? body.total]).toEqual([newestFirst.slice(0, FITTING), EVENTS]);
});

test('pages of a connection end early, in both directions → all events, none twice', async () => {
  const older: number[] = [];
  for (let after = ''; older.length < EVENTS; ) {
    const page = await readConnection(`first: 1000${after}`);
    expect([page.nodes.length, page.totalCount]).toEqual([Math.min(FITTING_BY_CURSOR, EVENTS - older.length), EVENTS]);
    older.push(...idsOf(page.nodes));
    expect(page.pageInfo.hasNextPage).toBe(older.length < EVENTS);
    after = `, after: "${page.pageInfo.endCursor}"`;
  }
  expect(older).toEqual(newestFirst);

  const newer: number[] = [];
  for (let before = ''; newer.length < EVENTS; ) {
    const page = await readConnection(`last: 1000${before}`);
    expect(page.nodes).toHaveLength(Math.min(FITTING_BY_CURSOR, EVENTS - newer.length));
    newer.unshift(...idsOf(page.nodes));
    expect(page.pageInfo.hasPreviousPage).toBe(newer.length < EVENTS);
    before = `, before: "${page.pageInfo.startCursor}"`;
  }
  expect(newer).toEqual(newestFirst);
});

test('a page without the large columns → all events', async () => {
  const { body } = await gateway.graphql('{ events(first: 1000) { nodes { id } } }');
  expect(idsOf(body.data.events.nodes)).toEqual(newestFirst);
});

const fourTimes = (write: (alias: string) => string) => `{ ${['a', 'b', 'c', 'd'].map(write).join(' ')} }`;

const TOO_LARGE: [string, string][] = [
  ['a list', '{ featureEvents(featureName: "large") { events { id tags { value } } } }'],
  ['four pages of a connection', fourTimes((alias) => `${alias}: events(first: 10) { nodes { tags { value } } }`)],
  ['four pages of the export', fourTimes((alias) => `${alias}: eventExport(first: 10) { events { storedTags } }`)],
  ['four pages of the feed', fourTimes((alias) => `${alias}: eventFeed(after: "start", first: 10) { events { storedTags } }`)],
  ['twenty times an event', `{ ${Array.from({ length: 20 }, (_, n) => `a${n}: event(id: 1) { storedTags }`).join(' ')} }`],
  [
    'an event with a field 17 times',
    `{ events(first: 6) { nodes { ${Array.from({ length: 17 }, (_, n) => `a${n}: storedTags`).join(' ')} } } }`,
  ],
];

test.each(TOO_LARGE)('%s in one operation that one response cannot hold → 400', async (_what, query) => {
  const { status, body } = await gateway.graphql(query);
  expect([status, body.errors[0].extensions.name]).toEqual([400, 'BadDataError']);
});

/** The oldest events, which are read page by page: more than the database returns for a page. */
const WALKED = FITTING_BY_CURSOR + 2;

test.each([
  ['a field three times', 'nodes { id a: storedTags b: storedTags c: storedTags }', 1],
  [
    'a field at three places',
    'nodes { id tags { value } } a: edges { node { tags { value } } } b: edges { node { tags { value } } }',
    1,
  ],
  ['a field three times, by graphql-js', 'nodes { id a: storedTags b: storedTags c: storedTags @include(if: true) }', 1],
  ['a field twice', 'nodes { id storedTags } edges { node { storedTags } }', 2],
])('a page with %s → ends early, and the next page follows it', async (_what, selection, fitting) => {
  const read = async (args: string): Promise<Page> => {
    const { body } = await gateway.graphql(`{ events(${args}) { ${selection} pageInfo { endCursor hasNextPage } } }`);
    expect(body.errors).toBeUndefined();
    return body.data.events;
  };
  const firstPage = await read('first: 100');
  expect([idsOf(firstPage.nodes), firstPage.pageInfo.hasNextPage]).toEqual([newestFirst.slice(0, fitting), true]);

  const skipped = await gateway.graphql(`{ events(first: ${EVENTS - WALKED}) { pageInfo { endCursor } } }`);
  const ids: number[] = [];
  for (let after = skipped.body.data.events.pageInfo.endCursor; ids.length < WALKED; ) {
    const { nodes, pageInfo } = await read(`first: 100, after: "${after}"`);
    expect(nodes.length).toBe(Math.min(fitting, WALKED - ids.length));
    ids.push(...idsOf(nodes));
    expect(pageInfo.hasNextPage).toBe(ids.length < WALKED);
    after = pageInfo.endCursor;
  }
  expect(ids).toEqual(newestFirst.slice(-WALKED));
});

test('all events of the flag over REST, and the export → whole', async () => {
  const flag = await gateway.send('/api/admin/events/large');
  expect([flag.status, idsOf(flag.body.events)]).toEqual([200, newestFirst]);
  const exported = await gateway.send('/v1/events/export');
  const lines = exported.text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(newestFirst.toReversed());
});

test('the feed, in pages and as a stream → all events in their order', async () => {
  const ids: number[] = [];
  for (let after = 'start'; ids.length < EVENTS; ) {
    const { body } = await gateway.send(`/v1/events/feed?after=${encodeURIComponent(after)}&limit=1000`);
    expect(body.events.length).toBe(Math.min(FITTING_BY_CURSOR, EVENTS - ids.length));
    ids.push(...idsOf(body.events));
    expect(body.upToDate).toBe(ids.length === EVENTS);
    after = body.next;
  }
  expect(ids).toEqual(newestFirst.toReversed());

  const { messages } = await openFeed(gateway.url, 'after=start&wait=0', {
    token: gateway.adminToken,
    format: 'ndjson',
  });
  const streamed: number[] = [];
  for await (const { event } of messages) if (event) streamed.push(event.id);
  expect(streamed).toEqual(ids);
});

test('a stream that continues before late events and large ones → all of them, although its pages end early', async () => {
  await gateway.prisma.$queryRaw`SELECT setval('events_id_seq', 1000)`;
  await addEvents('late', 1, 1);
  const { body } = await gateway.send('/v1/events/feed?after=now');
  for (const id of [501, 502, 503])
    await gateway.prisma.event.create({ data: { id, type: 'feature-tagged', createdBy: 'x', featureName: 'late' } });
  // The three late events and one of these events together are twice as large as a page of a stream.
  await addEvents('late', 7, 4_000_000);
  // The gateway then knows an end of the feed that has all of them.
  await gateway.send('/v1/events/feed?after=now');

  const { messages } = await openFeed(gateway.url, `after=${body.next}&wait=0`, { token: gateway.adminToken, format: 'ndjson' });
  const streamed: number[] = [];
  for await (const { event } of messages) if (event) streamed.push(event.id);
  expect(streamed).toEqual([501, 502, 503, 1002, 1003, 1004, 1005, 1006, 1007, 1008]);
});

test('late events that a page cannot hold → their pages end early, and none is missing', async () => {
  const { body } = await gateway.send('/v1/events/feed?after=now');
  for (const id of [511, 512, 513])
    await gateway.prisma.$executeRaw`
      INSERT INTO events (id, type, created_by, feature_name, tags)
      VALUES (${id}::int, 'feature-tagged', 'x', 'late', json_build_array(json_build_object('type', 'simple', 'value', repeat('x', 3000000))))`;
  await addEvents('late', 1, 1);
  const pages: number[][] = [];
  for (let after = body.next, isWhole = false; !isWhole; ) {
    const { body: page } = await gateway.send(`/v1/events/feed?after=${after}&limit=1000`);
    pages.push(idsOf(page.events));
    ({ next: after, upToDate: isWhole } = page);
  }
  expect(pages.filter((ids) => ids.length > 0)).toEqual([
    [511, 512],
    [513, 1009],
  ]);

  const { messages } = await openFeed(gateway.url, `after=${body.next}&wait=0`, { token: gateway.adminToken, format: 'ndjson' });
  const streamed: number[] = [];
  for await (const { event } of messages) if (event) streamed.push(event.id);
  expect(streamed).toEqual([511, 512, 513, 1009]);
});
