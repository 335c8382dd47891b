import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { filterLog, type LogFilter } from '../support/naive-filter.js';
import { idsOf, type Page, type PageArgs, readBackward, readForward, readPage, requestPage } from '../support/pages.js';
import { randomRuns } from '../support/random-runs.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const RUNS = { seed: 20261121, numRuns: randomRuns(100) };

/** Filters with short lists of events. One list has events at the same time, one is empty. */
const FILTERS: readonly LogFilter[] = [
  { features: ['many-events'] },
  { features: ['boundary-flag', 'tie-flag', 'checkout-v2'] },
  { from: '2024-01-31', to: '2024-03-01' },
  { query: 'default' },
  { features: ['no-feature'] },
];
const filter = fc.constantFrom(...FILTERS);
const idsMatching = (matching: LogFilter) => filterLog(matching).map(({ id }) => id);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('log');
});
afterAll(() => gateway.stop());

/** Checks what holds for every page, regardless of its arguments. */
function expectConsistent(page: Page, total: number): void {
  expect(page.edges.map(({ node }) => node)).toEqual(page.nodes);
  expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor ?? null);
  expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor ?? null);
  expect(page.totalCount).toBe(total);
}

describe('pages of the events connection', () => {
  test('pages of any size, forward or backward → together the list in its order', async () => {
    await fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: 1, max: 70 }), fc.boolean(), async (matching, size, isForward) => {
        const ids = idsMatching(matching);
        const pages = await (isForward ? readForward : readBackward)(gateway, matching, size);

        expect(pages.flatMap(idsOf)).toEqual(ids);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(ids.length / size)));
        for (const [index, page] of pages.entries()) {
          expectConsistent(page, ids.length);
          expect(page.pageInfo).toMatchObject({ hasPreviousPage: index > 0, hasNextPage: index < pages.length - 1 });
        }
      }),
      RUNS,
    );
  });

  test.each([1000, 999, 500])('pages of %d → together the whole log', async (size) => {
    const ids = idsMatching({});

    expect((await readForward(gateway, {}, size)).flatMap(idsOf)).toEqual(ids);
    expect((await readBackward(gateway, {}, size)).flatMap(idsOf)).toEqual(ids);
  });

  test('a page between any two cursors → the events that the specification of Relay defines', async () => {
    const everything = new Map<LogFilter, Page>();
    for (const each of FILTERS) everything.set(each, await readPage(gateway, each, { first: 1000 }));
    const place = fc.option(fc.nat({ max: 200 }), { freq: 3 });
    const size = fc.option(fc.record({ end: fc.constantFrom('first', 'last'), count: fc.nat({ max: 80 }) }), { freq: 5 });

    await fc.assert(
      fc.asyncProperty(filter, place, place, size, async (matching, afterPlace, beforePlace, sized) => {
        const { edges } = everything.get(matching) as Page;
        const indexOf = (at: number | null) => (at === null || edges.length === 0 ? null : at % edges.length);
        const [after, before] = [indexOf(afterPlace), indexOf(beforePlace)];
        const cursorAt = (index: number | null) => (index === null ? null : (edges[index]?.cursor ?? null));
        const isLast = sized?.end === 'last';
        const count = sized?.count ?? 50;
        const args: PageArgs = { after: cursorAt(after), before: cursorAt(before), ...(sized && { [sized.end]: count }) };
        const page = await readPage(gateway, matching, args);

        const window = edges.slice(after === null ? 0 : after + 1, before ?? edges.length);
        expect(page.edges).toEqual(isLast ? window.slice(Math.max(0, window.length - count)) : window.slice(0, count));
        expectConsistent(page, edges.length);
        expect(page.pageInfo).toMatchObject({
          hasNextPage: isLast ? before !== null : window.length > count,
          hasPreviousPage: isLast ? window.length > count : after !== null,
        });
      }),
      { ...RUNS, numRuns: randomRuns(300) },
    );
  });
});

describe('pages while events are added', () => {
  const matching = { features: ['many-events'] };
  let added: number[] = [];
  const addEvent = async () => {
    const { id } = await gateway.prisma.event.create({
      data: {
        type: 'feature-updated',
        createdBy: 'test',
        featureName: 'many-events',
        createdAt: new Date('2027-01-01T00:00:00Z'),
      },
      select: { id: true },
    });
    added.unshift(id);
  };
  const removeAdded = async () => {
    await gateway.prisma.event.deleteMany({ where: { id: { in: added } } });
    added = [];
  };

  test.each([1, 7, 20, 62])('forward, pages of %d → each old event once, and no new one', async (size) => {
    const ids = idsMatching(matching);
    const pages = await readForward(gateway, matching, size, addEvent);

    expect(pages.flatMap(idsOf)).toEqual(ids);
    expect(pages.at(-1)?.totalCount).toBe(ids.length + added.length);
    expect(added).toHaveLength(pages.length - 1);
    await removeAdded();
  });

  test.each([5, 20, 62])('backward, pages of %d → each event once, with new ones on the last page that is read', async (size) => {
    let left = 3;
    const addThree = async () => {
      if (left > 0) await addEvent();
      left -= 1;
    };
    const pages = await readBackward(gateway, matching, size, addThree);

    expect(pages.flatMap(idsOf)).toEqual([...added, ...idsMatching(matching)]);
    expect(added.length).toBeGreaterThan(0);
    await removeAdded();
  });

  test('the event of a cursor is deleted → the page after it is the same', async () => {
    await addEvent();
    await addEvent();
    const { edges } = await readPage(gateway, matching, { first: 3 });
    await removeAdded();

    const next = await readPage(gateway, matching, { first: 2, after: edges[1]?.cursor ?? null });
    expect(idsOf(next)).toEqual(idsMatching(matching).slice(0, 2));
  });
});

describe('cursors', () => {
  test('events that differ by a microsecond, or by their id only → different cursors', async () => {
    const feature = 'microseconds';
    const times = [0, 1, 2, 3, 3, 3, 998, 999, 1000, 1001, 999_999].map(
      (micro) => `2025-05-05T05:05:05.${String(micro).padStart(6, '0')}Z`,
    );
    for (const time of times) {
      await gateway.prisma.$executeRaw`
        INSERT INTO events (created_at, type, created_by, feature_name) VALUES (${time}::text::timestamptz, 'feature-updated', 'test', ${feature})`;
    }
    const rows = await gateway.prisma.$queryRaw<{ id: number }[]>`
      SELECT id FROM events WHERE feature_name = ${feature} ORDER BY created_at DESC, id DESC`;
    const ids = rows.map(({ id }) => id);
    const matching = { features: [feature] };

    for (let size = 1; size <= ids.length + 1; size += 1) {
      expect((await readForward(gateway, matching, size)).flatMap(idsOf)).toEqual(ids);
      expect((await readBackward(gateway, matching, size)).flatMap(idsOf)).toEqual(ids);
    }
    const { edges } = await readPage(gateway, matching, { first: 1000 });
    expect(new Set(edges.map(({ cursor }) => cursor)).size).toBe(ids.length);
    await gateway.prisma.event.deleteMany({ where: { featureName: feature } });
  });

  const expectRejected = async (args: object, paths: readonly string[]) => {
    const { body } = await requestPage(gateway, {}, args);

    expect(body.data ?? null).toBeNull();
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', name: 'BadDataError' });
    expect(body.errors[0].extensions.details.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
  };

  test.each([
    { args: { first: -1 }, paths: ['first'] },
    { args: { last: -1 }, paths: ['last'] },
    { args: { first: 1001 }, paths: ['first'] },
    { args: { last: 1001 }, paths: ['last'] },
    { args: { first: 2_147_483_647 }, paths: ['first'] },
    { args: { last: -2_147_483_648 }, paths: ['last'] },
    { args: { first: 1, last: 1 }, paths: ['last'] },
    { args: { first: 2_147_483_648 }, paths: ['first'] },
    { args: { first: 1.5 }, paths: ['first'] },
    { args: { first: '1' }, paths: ['first'] },
    { args: { first: -1, after: '', before: 'x' }, paths: ['after', 'before', 'first'] },
  ])('$args → rejected at $paths', ({ args, paths }) => expectRejected(args, paths));

  test.each([
    ...[
      '2024-02-30T00:00:00.000000Z,1',
      '2024-02-28T24:00:00.000000Z,1',
      '2024-02-28T00:60:00.000000Z,1',
      '2024-02-28T00:00:00.000Z,1',
    ],
    ...['2024-02-28T00:00:00.000000Z,2147483648', '2024-02-28T00:00:00.000000Z,', '2024-02-28T00:00:00.000000Z'],
    ...['0000-01-01T00:00:00.000000Z,1', "2024-02-28T00:00:00.000000Z,1'", '2024-02-28T00:00:00.000000Z,1\n'],
    ...['Infinity,1', 'now,1', '\0', '{"id":1}', '1', ''],
  ])('a cursor of %j → rejected', (text) => expectRejected({ after: Buffer.from(text).toString('base64url') }, ['after']));

  test('any other text → rejected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.constantFrom('after', 'before'), (text, name) =>
        expectRejected({ [name]: text }, [name]),
      ),
      RUNS,
    );
  });

  test('one character is changed → a page, or rejected', async () => {
    const { edges } = await readPage(gateway, {}, { first: 1 });
    const cursor = edges[0]?.cursor ?? '';
    const change = fc.tuple(fc.nat({ max: cursor.length - 1 }), fc.constantFrom(...'AZaz09-_=+/ '));
    await fc.assert(
      fc.asyncProperty(change, async ([at, character]) => {
        const { status, body } = await requestPage(
          gateway,
          {},
          { first: 1, after: cursor.slice(0, at) + character + cursor.slice(at + 1) },
        );

        expect(status).toBe(200);
        const codes = (body.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
        expect(codes).toEqual(body.data?.events ? [] : ['BAD_USER_INPUT']);
      }),
      { ...RUNS, numRuns: randomRuns(200) },
    );
  });
});
