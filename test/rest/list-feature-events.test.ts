import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { detailsOf, expectError } from '../support/expect-error.js';
import { recordedEvents } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const flags = [...new Set(recordedEvents.flatMap(({ featureName }) => featureName || []))];

describe('4.1 List events of one feature flag', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  const list = (flag: string) => gateway.send(`/api/admin/events/${encodeURIComponent(flag)}`);

  test('every flag of the recorded log → all of its events, newest first, and their count', async () => {
    expect(flags.length).toBeGreaterThan(20);
    for (const flag of flags) {
      const events = recordedEvents.filter(({ featureName }) => featureName === flag);
      const { status, body } = await list(flag);
      expect(status).toBe(200);
      expect(body).toEqual({ version: 1, toggleName: flag, events, totalEvents: events.length });
    }
  });

  test('more events than the largest page of a search → all of them', async () => {
    const { body } = await list('bulk-flag');
    expect(body.events).toHaveLength(1100);
    expect(body.totalEvents).toBe(1100);
  });

  test('a flag that does not exist → an empty list', async () => {
    const { status, body } = await list('no-such-flag');
    expect(status).toBe(200);
    expect(body).toEqual({ version: 1, toggleName: 'no-such-flag', events: [], totalEvents: 0 });
  });

  test.each([
    ['a list of names', 'bulk-flag,many-events'],
    ['a leading blank', ' bulk-flag'],
    ['a trailing blank', 'bulk-flag '],
    ['a leading line break', '\nbulk-flag'],
    ['a line break alone', '\n'],
    ['another case', 'BULK-FLAG'],
    ['a part of a name', 'bulk'],
    ['wildcards', '%'],
    ['a trailing slash that is part of the name', 'bulk-flag/'],
    ['an operator of the search', 'IS:bulk-flag'],
    ['a name as long as a URL may be', 'n'.repeat(15_000)],
  ])('%s → another flag, without events', async (_, flag) => {
    const { status, body } = await list(flag);
    expect(status).toBe(200);
    expect(body).toEqual({ version: 1, toggleName: flag, events: [], totalEvents: 0 });
  });

  test.each(['a,b', 'a/b', ' a ', 'a%b', 'a?b#c', 'ä🚩', 'search', '..', "a'b", 'a\\b', '"', 'a+b'])(
    'the flag %j → found by its name',
    async (flag) => {
      const { id } = await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'x', featureName: flag } });
      const { body } = await list(flag);
      expect(body).toMatchObject({ toggleName: flag, events: [{ id, featureName: flag }], totalEvents: 1 });
    },
  );

  test('a plus sign in the path → a plus sign in the name', async () => {
    expect((await gateway.send('/api/admin/events/x+y')).body.toggleName).toBe('x+y');
  });

  test('query parameters → ignored', async () => {
    const { body } = await gateway.send('/api/admin/events/bulk-flag?limit=1&featureName=x&limit=2');
    expect(body).toMatchObject({ toggleName: 'bulk-flag', totalEvents: 1100 });
  });

  test('events at the same time → the higher id first', async () => {
    const createdAt = new Date('2020-02-02T02:02:02.002Z');
    const event = { type: 'feature-created', createdBy: 'x', featureName: 'same-time', createdAt };
    await gateway.prisma.event.createMany({ data: [event, event, event] });
    const ids = (await list('same-time')).body.events.map(({ id }: { id: number }) => id);
    expect(ids).toHaveLength(3);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
  });

  test('times that differ by microseconds → ordered by them, returned in UTC with milliseconds', async () => {
    await gateway.prisma.$executeRaw`
      INSERT INTO events (created_at, type, created_by, feature_name) VALUES
        ('2020-01-01T12:00:00.000900+05:30', 'feature-created', 'x', 'micro'),
        ('2020-01-01T12:00:00.000100+05:30', 'feature-updated', 'x', 'micro'),
        ('2020-01-01T12:00:00+05:30', 'feature-archived', 'x', 'micro')`;
    const { events } = (await list('micro')).body;
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['feature-created', 'feature-updated', 'feature-archived']);
    for (const { createdAt } of events) expect(createdAt).toBe('2020-01-01T06:30:00.000Z');
  });

  test('an event with required fields only → null and no tags', async () => {
    const { id, createdAt } = await gateway.prisma.event.create({
      data: { type: 'feature-created', createdBy: 'x', featureName: 'bare' },
    });
    expect((await list('bare')).body.events).toEqual([
      {
        id,
        createdAt: createdAt.toISOString(),
        type: 'feature-created',
        createdBy: 'x',
        createdByUserId: null,
        environment: null,
        project: null,
        featureName: 'bare',
        data: null,
        preData: null,
        tags: [],
      },
    ]);
  });

  test('unusual rows of newer servers → returned as stored', async () => {
    await gateway.prisma.$executeRaw`
      INSERT INTO events (type, created_by, feature_name, data, pre_data, tags) VALUES
        ('from-the-future', 'x', 'strange', '[1, "two"]', '"text"', 'null'),
        ('', '', 'strange', '7', 'false', NULL),
        ('OTHER', 'x', 'strange', 'null', '{}', '[{"type": "simple", "value": "a", "color": "#fff"}]'),
        ('feature-created', 'x', 'strange', '{}', NULL, '{"not": "a list"}')`;
    const { status, body } = await list('strange');
    expect(status).toBe(200);
    const rows = body.events
      .map(({ type, data, preData, tags }: Record<string, unknown>) => ({ type, data, preData, tags }))
      .reverse();
    expect(rows).toEqual([
      { type: 'from-the-future', data: [1, 'two'], preData: 'text', tags: [] },
      { type: '', data: 7, preData: false, tags: [] },
      { type: 'OTHER', data: null, preData: {}, tags: [{ type: 'simple', value: 'a', color: '#fff' }] },
      { type: 'feature-created', data: {}, preData: null, tags: [] },
    ]);
  });

  test.each(['%E0%A4%A', '100%', '%', '%zz', '%ff'])('the undecodable path %s → 400', async (name) => {
    expectError(await gateway.send(`/api/admin/events/${name}`), 400, 'BadDataError');
  });

  test('a NUL in the name → 400 with the parameter and the rule', async () => {
    const response = await gateway.send('/api/admin/events/a%00b');
    expectError(response, 400, 'BadDataError');
    expect(detailsOf(response)).toEqual(['featureName must not contain the NUL character or half of a surrogate pair']);
  });

  test('a VIEWER → may read', async () => {
    expect((await gateway.send('/api/admin/events/bulk-flag', { token: gateway.viewerToken })).body.totalEvents).toBe(1100);
  });

  test('HEAD → 200 without a body', async () => {
    const { status, text } = await gateway.send('/api/admin/events/bulk-flag', { method: 'HEAD' });
    expect({ status, text }).toEqual({ status: 200, text: '' });
  });
});
