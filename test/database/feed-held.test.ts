import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { connectWriter, type OpenWriter } from '../support/open-writer.js';
import { openFeed } from '../support/read-feed.js';
import { isPostgres } from '../support/test-database.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

const FEED = '/v1/events/feed';

// The embedded database runs one transaction at a time.
(isPostgres ? describe : describe.skip)('the feed while a transaction that has written to the log is open', () => {
  let gateway: TestGateway;
  let writer: OpenWriter;
  beforeAll(async () => {
    gateway = await startTestGateway('empty');
    writer = await connectWriter(gateway);
  });
  afterAll(async () => {
    await writer.end();
    await gateway.stop();
  });

  const readFeed = async (after: string): Promise<{ ids: number[]; next: string; upToDate: boolean }> => {
    const { status, body } = await gateway.send(`${FEED}?after=${after}`);
    expect(status).toBe(200);
    return { ids: body.events.map(({ id }: { id: number }) => id), next: body.next, upToDate: body.upToDate };
  };
  const readMetric = async (name: string): Promise<number> => {
    const { text } = await gateway.send('/metrics', { token: null });
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  test('before the first watermark → an empty page, also for a stream; 503 for now and for a cursor of a removed event; then all events', async () => {
    const open = await writer.beginEvent();
    const later = await writer.addOther();
    expect(await readFeed('start')).toMatchObject({ ids: [], upToDate: false });
    const removed = Buffer.from('1,2000000000,AAAAAAAA,0,').toString('base64url');
    for (const after of ['now', removed])
      expectError(await gateway.send(`${FEED}?after=${after}`), 503, 'ServiceUnavailableError');
    const stop = new AbortController();
    const { messages } = await openFeed(gateway.url, 'after=start', {
      token: gateway.adminToken,
      format: 'sse',
      signal: stop.signal,
    });
    expect((await messages.next()).value).toMatchObject({ upToDate: false });
    await writer.query('COMMIT');
    expect((await messages.next()).value?.event?.id).toBe(open);
    expect((await messages.next()).value?.event?.id).toBe(later);
    stop.abort();
  });

  test.each(['COMMIT', 'PREPARE'])(
    '%s after a higher id → the events in the order of ids, and the metrics show what held them',
    async (ends) => {
      const { next } = await readFeed('now');
      const stop = new AbortController();
      const reading = { token: gateway.adminToken, format: 'sse', signal: stop.signal } as const;
      const { messages } = await openFeed(gateway.url, `after=${next}`, reading);
      // `fetch` closes a response that nobody has begun to read, once it is collected as garbage.
      expect((await messages.next()).value).toMatchObject({ upToDate: true });
      const open = await writer.beginEvent();
      const later = await writer.addOther();
      if (ends === 'PREPARE') await writer.query(`PREPARE TRANSACTION 'held'`);
      expect(await readFeed(next)).toMatchObject({ ids: [], next, upToDate: false });
      await waitUntil('the feed is held', async () => (await readMetric('gateway_feed_held_by_seconds')) > 1);
      expect(await readMetric('gateway_feed_lag_seconds')).toBeGreaterThan(1);
      expect(await readMetric('gateway_feed_streams')).toBe(1);
      await writer.query(ends === 'PREPARE' ? `COMMIT PREPARED 'held'` : 'COMMIT');
      expect(await readFeed(next)).toMatchObject({ ids: [open, later], upToDate: true });
      const streamed: number[] = [];
      while (streamed.length < 2) {
        const { value } = await messages.next();
        if (value?.event) streamed.push(value.event.id);
      }
      expect(streamed).toEqual([open, later]);
      stop.abort();
      await waitUntil('the stream has ended', async () => (await readMetric('gateway_feed_streams')) === 0);
      expect(await readMetric('gateway_feed_lag_seconds')).toBe(0);
    },
  );

  test('a client that reads a page, without any stream → the metrics show the hold until the transaction ends', async () => {
    const { next } = await readFeed('now');
    const open = await writer.beginEvent();
    const later = await writer.addOther();
    expect(await readFeed(next)).toMatchObject({ ids: [], upToDate: false });
    await waitUntil('the feed is held', async () => (await readMetric('gateway_feed_held_by_seconds')) > 1);
    expect(await readMetric('gateway_feed_lag_seconds')).toBeGreaterThan(1);
    expect(await readMetric('gateway_feed_streams')).toBe(0);
    await writer.query('COMMIT');
    await waitUntil('the feed has all events', async () => (await readMetric('gateway_feed_lag_seconds')) === 0);
    expect(await readFeed(next)).toMatchObject({ ids: [open, later], upToDate: true });
  });

  test('a sequence with a cache → 403 that says what to do, and a total; without it, the feed again', async () => {
    await gateway.database.read({ text: 'ALTER SEQUENCE events_id_seq CACHE 10', values: [] });
    await writer.addOther();
    await waitUntil('the feed is refused', async () => (await gateway.send(`${FEED}?after=start`)).status === 403);
    const response = await gateway.send(`${FEED}?after=start`);
    expectError(response, 403, 'NotSupportedHereError');
    expect(response.body.message).toMatch(/ALTER SEQUENCE events_id_seq CACHE 1\b/);
    const { body } = await gateway.send('/api/admin/search/events');
    expect(body.total).toBe((await gateway.database.read({ text: 'SELECT FROM events', values: [] })).length);
    await gateway.database.read({ text: 'ALTER SEQUENCE events_id_seq CACHE 1', values: [] });
    await waitUntil('the feed is served', async () => (await gateway.send(`${FEED}?after=start`)).status === 200);
  });

  test('an empty log after a crash of PostgreSQL → an empty page; an export beside an open transaction → 503', async () => {
    await writer.query('DELETE FROM events; DELETE FROM gateway_server_run');
    expect(await readFeed('start')).toMatchObject({ ids: [], upToDate: true });
    await writer.beginEvent();
    await writer.addOther();
    expectError(await gateway.send('/v1/events/export'), 503, 'ServiceUnavailableError');
    await writer.query('ROLLBACK; DELETE FROM events');
    const id = await writer.addOther();
    expect(await readFeed('start')).toMatchObject({ ids: [id], upToDate: true });
  });

  test('an event that is written to a partition by its name → waited for', async () => {
    await writer.query(`
      BEGIN; ALTER TABLE events RENAME TO events_first;
      CREATE TABLE events (LIKE events_first INCLUDING DEFAULTS) PARTITION BY RANGE (id);
      ALTER SEQUENCE events_id_seq OWNED BY events.id;
      DROP TRIGGER gateway_events_changed ON events_first; DROP TRIGGER gateway_events_added ON events_first;
      ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (100000);
      SELECT gateway_watch_events(); COMMIT`);
    const { next } = await readFeed('now');
    const open = await writer.beginEvent('events_first');
    const later = await writer.addOther();
    expect(await readFeed(next)).toMatchObject({ ids: [], next, upToDate: false });
    await writer.query('COMMIT');
    expect((await readFeed(next)).ids).toEqual([open, later]);
  });
});
