import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { type FeedFormat, type FeedMessage, openFeed } from '../support/read-feed.js';
import { recordedEvents } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

const FEED = '/v1/events/feed';
const byId = [...recordedEvents].sort((a, b) => a.id - b.id);
const FORMATS: readonly FeedFormat[] = ['sse', 'ndjson'];

describe('streams of GET /v1/events/feed', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', { FEED_STREAMS_PER_TOKEN: '3' });
  });
  afterAll(() => gateway.stop());

  const addEvent = async (data: { readonly project?: string } = {}): Promise<number> =>
    (await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'later', ...data } })).id;

  /** Opens a stream and returns its messages one by one. */
  const open = async (format: FeedFormat, parameters: string, token = gateway.adminToken, headers = {}) => {
    const stop = new AbortController();
    const { response, messages } = await openFeed(gateway.url, parameters, { token, format, signal: stop.signal, headers });
    expect(response.status).toBe(200);
    const next = async (): Promise<FeedMessage | undefined> => (await messages.next()).value;
    return { response, messages, next, close: () => stop.abort() };
  };

  test.each(FORMATS)('%s from the start → every event, lowest id first, and then those that are added', async (format) => {
    const { response, next, close } = await open(format, 'after=start');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const found: unknown[] = [];
    for (let message = await next(); message && !message.upToDate; message = await next()) {
      if (message.event) found.push(message.event);
    }
    expect(found).toEqual(byId);
    const id = await addEvent();
    const { event, cursor } = (await next()) ?? {};
    expect(event?.id).toBe(id);
    close();
    const later = await addEvent();
    const again = await open(format, `after=${cursor}`);
    expect((await again.next())?.event?.id).toBe(later);
    again.close();
    await gateway.prisma.event.deleteMany({ where: { id: { in: [id, later] } } });
  });

  test('wait=0 with NDJSON → the stream ends at the end of the log', async () => {
    const { messages } = await open('ndjson', 'after=start&wait=0');
    const found: FeedMessage[] = [];
    for await (const message of messages) found.push(message);
    expect(found.flatMap(({ event }) => event?.id ?? [])).toEqual(byId.map(({ id }) => id));
    expect(found.at(-1)).toEqual({ cursor: expect.any(String), upToDate: true });
  });

  test('clients that leave at any moment of the first page → no stream stays open', async () => {
    for (let client = 0; client < 20; client += 1) {
      const url = `${gateway.url}${FEED}?after=now`;
      const headers = { authorization: gateway.adminToken, accept: 'text/event-stream' };
      await fetch(url, { headers, signal: AbortSignal.timeout(client) }).catch(() => undefined);
    }
    const readMetrics = async () => (await gateway.send('/metrics', { token: null })).text;
    await waitUntil('all streams have ended', async () => (await readMetrics()).includes('gateway_feed_streams 0\n'));
  });

  test('a long poll → the first event that matches, or an empty page when the time is over', async () => {
    const { body } = await gateway.send(`${FEED}?after=now`);
    const waiting = gateway.send(`${FEED}?after=${body.next}&wait=20&project=IS:mine`);
    await setTimeout(300);
    await addEvent({ project: 'other' });
    const id = await addEvent({ project: 'mine' });
    const { body: page } = await waiting;
    expect(page).toMatchObject({ events: [{ id }], upToDate: true });
    const { body: empty } = await gateway.send(`${FEED}?after=${page.next}&wait=1`);
    expect(empty).toEqual({ events: [], next: page.next, upToDate: true });
  });

  test('Last-Event-ID → wins over after', async () => {
    const { body } = await gateway.send(`${FEED}?after=now`);
    const id = await addEvent();
    const { next, close } = await open('sse', 'after=start', gateway.adminToken, { 'last-event-id': body.next });
    expect((await next())?.event?.id).toBe(id);
    close();
  });

  test('a stream whose last events are removed → FeedResetError with the cursors to start from, and the end', async () => {
    const id = await addEvent();
    const { next, close } = await open('sse', 'after=now');
    await next();
    await gateway.database.read({ text: `DELETE FROM events WHERE id = ${id}`, values: [] });
    const { error } = (await next()) ?? {};
    expect(error).toMatchObject({ name: 'FeedResetError', oldest: expect.any(String), newest: expect.any(String) });
    expect(await next()).toBeUndefined();
    close();
    const again = await open('sse', `after=${(error as { newest?: string } | undefined)?.newest}`);
    expect(await again.next()).toMatchObject({ upToDate: true });
    const later = await addEvent();
    expect((await again.next())?.event?.id).toBe(later);
    again.close();
    await gateway.prisma.event.delete({ where: { id: later } });
  });

  test.each(FORMATS)('%s after a cursor that the log does not have → 410 before the stream begins', async (format) => {
    const id = await addEvent();
    const { body } = await gateway.send(`${FEED}?after=now`);
    await gateway.prisma.event.delete({ where: { id } });
    const { response, messages } = await openFeed(gateway.url, `after=${body.next}`, { token: gateway.adminToken, format });
    expect([response.status, response.headers.get('content-type')]).toEqual([410, 'application/json; charset=utf-8']);
    await messages.return(undefined);
  });

  // Both errors take up to 15 seconds, so the streams wait together.
  test('a revoked token, and a last event that is changed → an error event, and the end', async () => {
    const id = await addEvent();
    const changed = await open('sse', 'after=now');
    await changed.next();
    await gateway.prisma.event.update({ where: { id }, data: { createdAt: new Date('2026-01-02T03:04:05Z') } });
    const token = await gateway.createToken({ name: 'revoked' });
    const revoked = await open('sse', 'after=start', token);
    for (let message = await revoked.next(); !message?.upToDate; message = await revoked.next()) expect(message).toBeDefined();
    await gateway.prisma.apiToken.deleteMany({ where: { name: 'revoked' } });
    const streams = [
      { stream: revoked, name: 'UnauthorizedError' },
      { stream: changed, name: 'FeedResetError' },
    ];
    for (const { stream, name } of streams) {
      expect((await stream.next())?.error?.name).toBe(name);
      expect(await stream.next()).toBeUndefined();
      stream.close();
    }
    await gateway.prisma.event.delete({ where: { id } });
  }, 30_000);

  test('more streams than a token may have → 429, also for a long poll', async () => {
    const token = await gateway.createToken({ name: 'eager' });
    const streams = await Promise.all([1, 2, 3].map(() => open('sse', 'after=now', token)));
    expectError(await gateway.send(`${FEED}?after=now&wait=1`, { token }), 429, 'TooManyRequestsError');
    expect((await gateway.send(`${FEED}?after=now`, { token })).status).toBe(200);
    for (const { close } of streams) close();
    await setTimeout(200);
    expect((await gateway.send(`${FEED}?after=now&wait=1`, { token })).status).toBe(200);
  });

  test('a header accept with thousands of ranges → only the first ones count', async () => {
    const accept = `${'text/html,'.repeat(1_000)}application/json`;
    expectError(await gateway.send(`${FEED}?after=now`, { headers: { accept } }), 406, 'NotAcceptableError');
  });

  test('an unknown format → 406; a stream with the parameters of a page → 400', async () => {
    expectError(await gateway.send(`${FEED}?after=now`, { headers: { accept: 'text/html' } }), 406, 'NotAcceptableError');
    const accept = 'text/event-stream';
    expectError(await gateway.send(`${FEED}?after=now&limit=5&wait=1`, { headers: { accept } }), 400, 'BadDataError');
  });
});
