import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { detailsOf, expectError } from '../support/expect-error.js';
import { recordedEvents, type WireEvent } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const PATH = '/v1/events/counts';
const PARAMETERS =
  'query, feature, project, type, createdBy, environment, id, from, to, createdByName, since, until, by, interval, timeZone, top';

describe('GET /v1/events/counts', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  const count = (parameters: string, options = {}) => gateway.send(`${PATH}?${parameters}`, options);
  const numberOf = (matches: (event: WireEvent) => boolean) => recordedEvents.filter(matches).length;

  test('without by and interval → the total, and one row with it', async () => {
    const { status, body, headers } = await count('project=IS:default');
    const total = numberOf(({ project }) => project === 'default');
    expect(total).toBeGreaterThan(0);
    expect({ status, body }).toEqual({ status: 200, body: { total, rows: [{ time: null, key: null, count: total }] } });
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  test('by → one row for each of the largest groups', async () => {
    const { body } = await count('by=TYPE&top=3');
    expect(body.total).toBe(recordedEvents.length);
    const byType = new Map<string, number>();
    for (const { type } of recordedEvents) byType.set(type, (byType.get(type) ?? 0) + 1);
    const largest = [...byType].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 3);
    expect(body.rows).toEqual(largest.map(([key, number]) => ({ time: null, key, count: number })));
  });

  test('interval → one row for each bucket, also without events; cut at since and until', async () => {
    const day = recordedEvents[0]?.createdAt.slice(0, 10) ?? '';
    const { body } = await count(`interval=HOUR&since=${day}T00:30:00%2B00:00&until=${day}T23:30:00Z`);
    const times = body.rows.map(({ time }: { time: string }) => time);
    expect(times).toEqual([
      `${day}T00:30:00.000Z`,
      ...Array.from({ length: 23 }, (_, index) => `${day}T${String(index + 1).padStart(2, '0')}:00:00.000Z`),
    ]);
    const total = numberOf(({ createdAt }) => createdAt >= `${day}T00:30` && createdAt < `${day}T23:30`);
    expect(body.total).toBe(total);
    expect(body.rows.reduce((sum: number, row: { count: number }) => sum + row.count, 0)).toBe(total);
  });

  test('by and interval → one row for each bucket and group, by time and then by size', async () => {
    const parameters = 'by=CREATED_BY&top=2&timeZone=Asia/Kathmandu&type=IS:feature-created,feature-archived';
    const { body } = await count(`${parameters}&interval=MONTH`);
    const keys = (await count(parameters)).body.rows.map(({ key }: { key: string }) => key);
    expect(keys).toHaveLength(2);
    const rows: { time: string; key: string }[] = body.rows;
    expect(rows.map(({ key }) => key)).toEqual(rows.map((_, index) => keys[index % 2]));
    expect(rows.every(({ time }) => time.endsWith('T18:15:00.000Z'))).toBe(true);
    expect(rows.map(({ time }) => time)).toEqual(rows.map(({ time }) => time).sort());
  });

  test('a name of a creator → its events only', async () => {
    const { createdBy } = recordedEvents[5] ?? { createdBy: '' };
    const { body } = await count(`createdByName=IS:${encodeURIComponent(createdBy)}`);
    expect(body.total).toBe(numberOf((event) => event.createdBy === createdBy));
  });

  test('nothing matches → 0, and no buckets', async () => {
    expect((await count('feature=IS:no-such-flag&interval=AUTO')).body).toEqual({ total: 0, rows: [] });
    expect((await count('feature=IS:no-such-flag&by=TYPE')).body).toEqual({ total: 0, rows: [] });
  });

  test('a token limited to projects → their events only', async () => {
    const token = await gateway.createToken({ projects: ['other-project'] });
    const { body } = await count('by=PROJECT', { token });
    const total = numberOf(({ project }) => project === 'other-project');
    expect(body).toEqual({ total, rows: [{ time: null, key: 'other-project', count: total }] });
  });

  test('no token → 401', async () => {
    expectError(await count('', { token: null }), 401, 'AuthenticationRequired');
  });

  test.each([
    ['limit=10', `limit is not known here. The parameters are ${PARAMETERS}`],
    ['offset=0', `offset is not known here. The parameters are ${PARAMETERS}`],
    ['groupId=1', `groupId is not known here. The parameters are ${PARAMETERS}`],
    ['By=TYPE', 'By must be written by'],
    ['interval[]=DAY', 'interval[] must be written interval'],
    ['by=type', 'by must be one of TYPE, PROJECT, FEATURE, ENVIRONMENT, CREATED_BY'],
    ['by=TYPE&by=TYPE', 'by must not be given more than once'],
    ['interval=YEAR', 'interval must be one of AUTO, MINUTE, HOUR, DAY, WEEK, MONTH'],
    ['timeZone=IST', 'timeZone must be the name of a time zone in the IANA database, such as Europe/Berlin'],
    ['timeZone=pst', 'timeZone must be the name of a time zone in the IANA database, such as Europe/Berlin'],
    ['timeZone=Mars/Base', 'timeZone must be the name of a time zone in the IANA database, such as Europe/Berlin'],
    ['timeZone=%2B01:00', 'timeZone must be the name of a time zone in the IANA database, such as Europe/Berlin'],
    ['top=0', 'top must be a whole number from 1 to 50'],
    ['top=51', 'top must be a whole number from 1 to 50'],
    ['top=1e1', 'top must be a whole number from 1 to 50'],
    ['createdByName=IS:', 'createdByName must contain at least one value; omit it to include all events'],
    [
      'since=2024-01-01',
      'since must be an RFC 3339 date-time with a zone, such as 2026-12-31T23:59:59Z, in the years 0001 to 9999. A plus sign in a URL is written %2B',
    ],
    ['from=2024-01-01', 'from must be an existing date, written yyyy-MM-dd, such as IS:2026-01-31'],
    [
      'interval=MINUTE&since=2024-01-01T00:00:00Z&until=2024-02-01T00:00:00Z',
      'interval gives more than 500 buckets in this range: use DAY, or a shorter range by since and until',
    ],
    [
      'interval=HOUR&by=FEATURE&top=50&since=2024-01-01T00:00:00Z&until=2024-01-10T00:00:00Z',
      'interval gives more than 200 buckets in this range: use DAY, or a shorter range by since and until',
    ],
    [
      'interval=MONTH&from=IS:0001-01-01&to=IS:9999-12-31',
      'interval gives more than 500 buckets in this range: use a shorter range by since and until',
    ],
    [
      'interval=AUTO&since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z',
      'interval gives more than 60 buckets in this range: use a shorter range by since and until',
    ],
  ])('%s → 400: %s', async (parameters, problem) => {
    const response = await count(parameters);
    expectError(response, 400, 'BadDataError');
    expect(detailsOf(response)).toEqual([problem]);
  });

  test('several problems → all of them', async () => {
    expect(detailsOf(await count('x=1&by=a&top=a&since=a&feature=a'))).toHaveLength(5);
  });

  test('an event at the first millisecond of a range in a distant year → counted in the first bucket', async () => {
    const feature = 'in-1700';
    await gateway.prisma.$executeRaw`
      INSERT INTO events (type, created_by, feature_name, created_at)
      VALUES ('feature-created', 'x', ${feature}, '1700-01-01 00:00:00.005Z')`;
    const { body } = await count(`feature=IS:${feature}&interval=HOUR&since=1700-01-01T00:00:00.005Z&until=1700-01-01T02:00:00Z`);
    expect(body).toEqual({
      total: 1,
      rows: [
        { time: '1700-01-01T00:00:00.005Z', key: null, count: 1 },
        { time: '1700-01-01T01:00:00.000Z', key: null, count: 0 },
      ],
    });
  });

  test('a key with quotes, one beyond ASCII, and events without the property → rows with these keys, and with null', async () => {
    const feature = 'unusual-keys';
    const keys = ['"quoted\\"', 'Größe 😀', null];
    await gateway.prisma.$executeRaw`
      INSERT INTO events (type, created_by, feature_name, environment, created_at)
      SELECT 'feature-created', 'x', ${feature}, unnest(${keys}::text[]), '2024-01-01 12:00Z'`;
    const rowsAt = (time: string | null) => keys.map((key) => ({ time, key, count: 1 }));
    expect((await count(`feature=IS:${feature}&by=ENVIRONMENT`)).body).toEqual({ total: 3, rows: rowsAt(null) });
    expect((await count(`feature=IS:${feature}&by=ENVIRONMENT&interval=DAY`)).body).toEqual({
      total: 3,
      rows: rowsAt('2024-01-01T00:00:00.000Z'),
    });
  });

  test('events at infinity, and in the year 20000 → counted; buckets need since and until', async () => {
    const feature = 'at-infinity';
    await gateway.prisma.$executeRaw`
      INSERT INTO events (type, created_by, feature_name, created_at)
      SELECT 'feature-created', 'x', ${feature}, unnest(ARRAY['infinity', '-infinity', '20000-01-01', '2024-01-01 12:00Z']::timestamptz[])`;
    expect((await count(`feature=IS:${feature}&by=TYPE`)).body.total).toBe(4);
    expect(detailsOf(await count(`feature=IS:${feature}&interval=AUTO`))).toEqual([
      'interval needs since and until here, because events are outside of the years 0001 to 9999',
    ]);
    const within = await count(`feature=IS:${feature}&interval=DAY&from=IS:2024-01-01&to=IS:2024-01-01`);
    expect(within.body).toEqual({ total: 1, rows: [{ time: '2024-01-01T00:00:00.000Z', key: null, count: 1 }] });
  });

  test('HEAD with a range that has too many buckets → 400, as for GET', async () => {
    const parameters = 'interval=MINUTE&since=2024-01-01T00:00:00Z&until=2024-02-01T00:00:00Z';
    expect((await count(parameters, { method: 'HEAD' })).status).toBe(400);
  });

  test('HEAD → the entity tag without a body', async () => {
    const { headers } = await count('by=TYPE');
    const head = await count('by=TYPE', { method: 'HEAD' });
    expect({ status: head.status, text: head.text, etag: head.headers.etag }).toEqual({
      status: 200,
      text: '',
      etag: headers.etag,
    });
  });
});
