import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { detailsOf, expectError } from '../support/expect-error.js';
import { recordedEvents } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const FEED = '/v1/events/feed';
const byId = [...recordedEvents].sort((a, b) => a.id - b.id);
const highestId = byId.at(-1)?.id ?? 0;

interface Page {
  readonly events: readonly { readonly id: number }[];
  readonly next: string;
  readonly upToDate: boolean;
}

const idsOf = ({ events }: Page) => events.map(({ id }) => id);

describe('GET /v1/events/feed', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  const readPage = async (parameters: string, token = gateway.adminToken): Promise<Page> => {
    const { status, body } = await gateway.send(`${FEED}?${parameters}`, { token });
    expect({ status, body }).toMatchObject({ status: 200, body: { next: expect.any(String) } });
    return body;
  };
  const addEvent = async (data: { readonly id?: number; readonly project?: string } = {}): Promise<number> =>
    (await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'later', ...data } })).id;
  const removeEvents = async (...ids: readonly number[]) => gateway.prisma.event.deleteMany({ where: { id: { in: [...ids] } } });

  test('pages from the start → every event in wire form, lowest id first, and an empty page at the end', async () => {
    const found: unknown[] = [];
    for (let after = 'start'; ; ) {
      const { events, next, upToDate } = await readPage(`after=${after}&limit=100`);
      found.push(...events);
      expect(upToDate).toBe(events.length < 100);
      if (events.length === 0) break;
      after = next;
    }
    expect(found).toEqual(byId);
  });

  test('the header link → the next page, relative to this one, so that it also holds below a path of a proxy', async () => {
    const { headers, body } = await gateway.send(`${FEED}?after=start&limit=2`);
    expect(headers['link']).toBe(`<?after=${body.next}&limit=2>; rel="next"`);
  });

  test('a page after now → nothing, and then each event that is added, once', async () => {
    const { events, next, upToDate } = await readPage('after=now');
    expect({ events, upToDate }).toEqual({ events: [], upToDate: true });
    const id = await addEvent();
    const page = await readPage(`after=${next}`);
    expect(idsOf(page)).toEqual([id]);
    expect(idsOf(await readPage(`after=${page.next}`))).toEqual([]);
    await removeEvents(id);
  });

  test('events that are added below others → after them, once, also for a filter', async () => {
    await addEvent({ id: highestId + 1000 });
    const { next } = await readPage('after=now');
    const other = await addEvent({ id: highestId + 500, project: 'other' });
    const mine = await addEvent({ id: highestId + 400, project: 'mine' });
    expect(idsOf(await readPage(`after=${next}`))).toEqual([other, mine]);
    const first = await readPage(`after=${next}&limit=1`);
    expect(idsOf(first)).toEqual([other]);
    const second = await readPage(`after=${first.next}&limit=1`);
    expect(idsOf(second)).toEqual([mine]);
    expect(idsOf(await readPage(`after=${second.next}`))).toEqual([]);
    expect(idsOf(await readPage(`after=${next}&project=IS:mine`))).toEqual([mine]);
    const added = [mine, other, highestId + 1000];
    expect(idsOf(await readPage(`after=start&id=IS_ANY_OF:${added.join()}`))).toEqual(added);
    await removeEvents(...added);
  });

  test('the event of the cursor removed → 410 with the cursors to start from', async () => {
    const id = await addEvent();
    const { next } = await readPage('after=now');
    await removeEvents(id);
    const response = await gateway.send(`${FEED}?after=${next}`);
    expect(response).toMatchObject({ status: 410, body: { name: 'FeedResetError', message: expect.stringMatching(/oldest/) } });
    expect(idsOf(await readPage(`after=${response.body.oldest}&limit=1`))).toEqual([byId[0]?.id]);
    expect(idsOf(await readPage(`after=${response.body.newest}`))).toEqual([]);
  });

  test('an instant → the events since then, and events with higher ids', async () => {
    const since = byId[200]?.createdAt ?? '';
    const expected = byId.filter(({ createdAt }) => createdAt >= since).map(({ id }) => id);
    const found: number[] = [];
    for (let after = encodeURIComponent(since); ; ) {
      const page = await readPage(`after=${after}&limit=1000`);
      found.push(...idsOf(page));
      if (page.upToDate) break;
      after = page.next;
    }
    expect(found).toEqual(byId.map(({ id }) => id).filter((id) => id >= Math.min(...expected)));
    expect(idsOf(await readPage('after=1999-01-01T00:00:00Z&limit=1000'))).toEqual(
      idsOf(await readPage('after=start&limit=1000')),
    );
    expect(idsOf(await readPage('after=2999-01-01T00:00:00Z'))).toEqual([]);
  });

  test('GraphQL → the same pages, the cursor after each event, and the same errors', async () => {
    const query = `query ($after: String!, $first: Int!) {
      eventFeed(after: $after, first: $first, filter: { projects: ["default"] }) { events { id } cursors cursor upToDate }
    }`;
    const read = async (after: string, first: number) => (await gateway.graphql(query, { after, first })).body;
    const { eventFeed } = (await read('start', 5)).data;
    expect(eventFeed.events.map(({ id }: { id: number }) => id)).toEqual(
      idsOf(await readPage('after=start&limit=5&project=IS:default')),
    );
    expect(eventFeed.cursors).toHaveLength(5);
    expect(eventFeed.cursors[4]).toBe(eventFeed.cursor);
    const rest = (await read(eventFeed.cursors[2], 2)).data.eventFeed;
    expect(rest.events).toEqual(eventFeed.events.slice(3));
    expect((await read('x', 1001)).errors[0].extensions).toMatchObject({ details: [{ path: 'first' }, { path: 'after' }] });
    const other = Buffer.from('1,2000000000,AAAAAAAA,0,').toString('base64url');
    expect((await read(other, 1)).errors[0].extensions).toMatchObject({
      code: 'FEED_RESET',
      name: 'FeedResetError',
      oldest: expect.any(String),
      newest: expect.any(String),
    });
  });

  test('no after, another text → 400', async () => {
    for (const [parameters, path] of [
      ['', 'after'],
      ['after=x', 'after'],
      ['after=start&limit=0', 'limit'],
      ['after=start&wait=31', 'wait'],
      ['after=start&Project=IS:a', 'Project'],
    ]) {
      const response = await gateway.send(`${FEED}?${parameters}`);
      expectError(response, 400, 'BadDataError');
      expect(detailsOf(response).length).toBe(1);
      expect(response.body.details[0].path).toBe(path);
    }
  });

  // The last test, because it replaces the log.
  test('the log restored, truncated or replaced → 410, also once it has higher ids again', async () => {
    const execute = (text: string) => gateway.database.read({ text, values: [] });
    const expectReset = async (cursor: string) => {
      const { status, body } = await gateway.send(`${FEED}?after=${cursor}`);
      expect([status, body.name]).toEqual([410, 'FeedResetError']);
    };
    const id = await addEvent();
    const { next } = await readPage('after=now');
    await execute(`DELETE FROM events WHERE id = ${id}`);
    await expectReset(next);
    await addEvent({ id });
    await expectReset(next);
    await addEvent({ id: id + 1 });
    const { next: late } = await readPage('after=now');
    await execute(`TRUNCATE events RESTART IDENTITY; TRUNCATE gateway_late_event RESTART IDENTITY`);
    await expectReset(late);
    const { events, upToDate, next: empty } = await readPage('after=now');
    expect([events, upToDate]).toEqual([[], true]);
    for (const other of [1, 2, id, id + 1, id + 10]) await addEvent({ id: other });
    await expectReset(late);
    expect(idsOf(await readPage(`after=${empty}&limit=2`))).toEqual([1, 2]);
  });
});
