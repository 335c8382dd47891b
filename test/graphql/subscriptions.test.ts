import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLIENTS, readOutcome, type Subscription } from '../support/subscribe.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

const FEED = `subscription Feed($after: String!, $filter: EventFilter, $batch: Int! = 100) {
  eventFeed(after: $after, filter: $filter, batch: $batch) { events { id project data } cursor upToDate }
}`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('log', { FEED_STREAMS_PER_TOKEN: '2' });
});
afterAll(() => gateway.stop());

const addEvent = async (project: string, data: object = {}): Promise<number> =>
  (await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'later', project, data } })).id;

/** Reads until a page has events. */
async function nextEvents({ next }: Subscription) {
  for (let result = await next(); result?.data; result = await next()) {
    if (result.data.eventFeed.events.length > 0) return result.data.eventFeed;
  }
}

describe.each(Object.entries(CLIENTS))('subscriptions with %s', (client, subscribe) => {
  const feed = (variables: Record<string, unknown>, token = gateway.adminToken): Subscription =>
    subscribe(gateway.url, token, { query: FEED, variables });

  test('from the start → every event in order, then those that are added, and after the last cursor only later ones', async () => {
    const known = await gateway.prisma.event.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
    const stream = feed({ after: 'start', batch: 50 });
    const found: number[] = [];
    for (let upToDate = false; !upToDate; ) {
      const { eventFeed } = (await stream.next())?.data ?? {};
      expect(eventFeed.events.length).toBeLessThanOrEqual(50);
      found.push(...eventFeed.events.map(({ id }: { id: number }) => id));
      upToDate = eventFeed.upToDate;
    }
    expect(found).toEqual(known.map(({ id }) => id));
    const data = { name: 'é "quoted"\n', nested: { text: '""}' } };
    const id = await addEvent('any', data);
    const { events, cursor } = (await nextEvents(stream)) ?? {};
    expect(events).toMatchObject([{ id, project: 'any', data }]);
    stream.close();
    const later = await addEvent('any');
    const again = feed({ after: cursor });
    expect((await nextEvents(again))?.events).toMatchObject([{ id: later }]);
    again.close();
  });

  test('a token of one project → only its events, also if the filter names another project', async () => {
    const token = await gateway.createToken({ name: `mine ${client}`, projects: ['mine'] });
    const [stream, other] = [feed({ after: 'now' }, token), feed({ after: 'now', filter: { projects: ['other'] } }, token)];
    await stream.next();
    await other.next();
    await addEvent('other');
    const id = await addEvent('mine');
    expect((await nextEvents(stream))?.events).toMatchObject([{ id, project: 'mine' }]);
    for (const { close } of [stream, other]) close();
  });

  test('more streams than a token may have → 429, until one is closed', async () => {
    const token = await gateway.createToken({ name: `eager ${client}` });
    const streams = [feed({ after: 'now' }, token), feed({ after: 'now' }, token)];
    for (const { next } of streams) await next();
    const third = feed({ after: 'now' }, token);
    expect((await readOutcome(third)).text).toMatch(/streams of the feed open|WebSockets open|429|Too Many/);
    for (const { close } of [third, ...streams]) close();
    await waitUntil('a stream can be opened again', async () => {
      const stream = feed({ after: 'now' }, token);
      const { data } = await readOutcome(stream);
      stream.close();
      return data?.eventFeed.upToDate === true;
    });
  });

  test('a wrong argument → its error, with an id that is in the log', async () => {
    const stream = feed({ after: 'nonsense' });
    const [error] = (await readOutcome(stream)).errors ?? [];
    expect(error).toMatchObject({
      message: expect.stringContaining('after must be'),
      extensions: { code: 'BAD_USER_INPUT', name: 'BadDataError' },
    });
    expect(gateway.log.join('')).toContain(error?.extensions?.['id']);
    stream.close();
  });

  test('a document that is not valid → its errors', async () => {
    const query = 'subscription { eventFeed(after: "now") { nothing } }';
    const stream = subscribe(gateway.url, gateway.adminToken, { query });
    expect((await readOutcome(stream)).errors).toMatchObject([{ message: expect.stringContaining('"nothing"') }]);
    stream.close();
  });

  test('an unknown token → no result', async () => {
    const stream = feed({ after: 'now' }, 'unknown');
    const { data, text } = await readOutcome(stream);
    expect(data?.eventFeed).toBeUndefined();
    expect(text).toMatch(/401|Unauthorized|not recognized/i);
    stream.close();
  });
});

test('a token that is revoked → the streams of all clients end with the error', async () => {
  const outcomes = await Promise.all(
    Object.entries(CLIENTS).map(async ([client, subscribe]) => {
      const name = `revoked ${client}`;
      const token = await gateway.createToken({ name });
      const stream = subscribe(gateway.url, token, { query: FEED, variables: { after: 'now' } });
      await stream.next();
      await gateway.prisma.apiToken.deleteMany({ where: { name } });
      const { errors } = await readOutcome(stream);
      stream.close();
      return { client, code: errors?.[0]?.extensions?.['code'] };
    }),
  );
  expect(outcomes).toEqual(Object.keys(CLIENTS).map((client) => ({ client, code: 'UNAUTHENTICATED' })));
}, 30_000);
