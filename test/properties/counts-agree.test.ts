import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type CountedEvent, type CountsArgs, countNaively } from '../support/naive-counts.js';
import { randomRuns } from '../support/random-runs.js';
import { recordSql } from '../support/record-sql.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const COUNTS = `query ($filter: EventFilter, $by: EventDimension, $interval: CountInterval, $timeZone: String!, $top: Int!) {
  eventCounts(filter: $filter, by: $by, interval: $interval, timeZone: $timeZone, top: $top) {
    total interval buckets { start end count } groups { key count counts } other distinct version
  }
}`;

const FIRST = Date.parse('2024-02-20T00:00:00Z');
const LAST = Date.parse('2024-12-10T00:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const YEAR = 365 * DAY;

/** Zones whose clocks change at midnight, by half an hour, at different times of the year, or never. */
const ZONES = [
  ...['CET', 'eet', 'WET', 'MET', 'EST', 'Cuba'],
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Havana', 'Atlantic/Azores'],
  ...[
    'Africa/Cairo',
    'America/Santiago',
    'Asia/Beirut',
    'Pacific/Chatham',
    'Africa/Casablanca',
    'America/St_Johns',
    'Asia/Kolkata',
  ],
];

/** The beginnings and ends of daylight saving time in these zones, around which events are dense. */
const CHANGES = [
  ...[
    '2024-03-10T05:00Z',
    '2024-03-10T07:00Z',
    '2024-03-31T00:00Z',
    '2024-03-31T01:00Z',
    '2024-04-06T15:00Z',
    '2024-04-07T03:00Z',
  ],
  ...[
    '2024-04-25T22:00Z',
    '2024-09-08T04:00Z',
    '2024-10-05T15:30Z',
    '2024-10-26T21:00Z',
    '2024-10-27T01:00Z',
    '2024-10-31T21:00Z',
  ],
  ...['2024-11-03T05:00Z', '2024-11-03T06:00Z'],
].map((text) => Date.parse(text));

const instant = fc.oneof(
  fc.integer({ min: FIRST, max: LAST }),
  fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -26 * 60, max: 26 * 60 }))
    .map(([at, minutes]) => at + minutes * MINUTE),
);
const EVENT = { type: 'feature-created', project: 'p1', featureName: 'a', environment: null, createdBy: 'ann' };
const TYPES = ['feature-created', 'feature-archived', 'from-the-future'];
const newEvent = fc.record({
  at: instant,
  type: fc.constantFrom(...TYPES),
  project: fc.constantFrom('p1', 'p2', 'p3', null),
  featureName: fc.oneof(
    fc.constantFrom('a', 'B', 'é', '', '😀', '\uffff'),
    fc.integer({ min: 1, max: 60 }).map((n) => `f${n}`),
    fc.constant(null),
  ),
  environment: fc.constantFrom('production', 'development', null),
  createdBy: fc.constantFrom('ann', 'bob', 'Zoë'),
});

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 });
const range = fc.oneof(
  fc.record({ since: maybe(instant), until: maybe(instant) }),
  // Short ranges, as minutes and hours need them.
  fc
    .tuple(instant, fc.oneof(fc.integer({ min: 0, max: 700 }), fc.constantFrom(60, 1440, 30 * 1440)))
    .map(([since, minutes]) => ({ since, until: since + minutes * MINUTE })),
  fc.constant({ since: null, until: null }),
);
const filter = fc.record(
  {
    projects: fc.constantFrom<string[]>(['p1'], ['p2', 'p3']),
    typeNames: fc.constantFrom<string[]>(['feature-created'], ['from-the-future', 'feature-archived']),
    createdByNames: fc.constantFrom<string[]>(['ann'], ['bob', 'Zoë']),
  },
  { requiredKeys: [] },
);
const request = fc.record({
  args: fc
    .tuple(
      fc.record({
        by: fc.constantFrom(null, 'TYPE', 'PROJECT', 'FEATURE', 'ENVIRONMENT', 'CREATED_BY'),
        interval: fc.constantFrom(null, 'AUTO', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH'),
        timeZone: fc.constantFrom(...ZONES),
        top: fc.constantFrom(1, 2, 10, 50),
      }),
      range,
    )
    .map(([rest, ends]) => ({ ...rest, ...ends }) as CountsArgs),
  filter,
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

const INSERT = `
  INSERT INTO events (created_at, type, project, feature_name, environment, created_by)
  SELECT to_timestamp(at / 1000.0), type, project, "featureName", environment, "createdBy"
  FROM json_to_recordset($1::json) AS new(at float8, type text, project text, "featureName" text, environment text, "createdBy" text)`;
const READ = `
  SELECT round(date_part('epoch', created_at) * 1000)::float8 AS at, type, project, feature_name AS "featureName", environment, created_by AS "createdBy"
  FROM events`;

const matches = (event: CountedEvent, { projects, typeNames, createdByNames }: Request['filter']): boolean =>
  (!projects || projects.includes(event.project ?? '')) &&
  (!typeNames || typeNames.includes(event.type)) &&
  (!createdByNames || createdByNames.includes(event.createdBy));

describe('counts equal a naive count', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty');
  });
  afterAll(() => gateway.stop());

  const insert = (events: readonly CountedEvent[]) => gateway.database.read({ text: INSERT, values: [JSON.stringify(events)] });
  const readAll = () => gateway.database.read<CountedEvent>({ text: READ, values: [] });

  async function ask({ args: { since, until, ...args }, filter }: Request) {
    const ends = {
      since: since === null ? null : new Date(since).toISOString(),
      until: until === null ? null : new Date(until).toISOString(),
    };
    return gateway.graphql(COUNTS, { ...args, filter: { ...filter, ...ends } });
  }

  /** Returns what the response to a request has to be for a log. */
  const expected = (log: readonly CountedEvent[], { args, filter }: Request) =>
    countNaively(
      log.filter((event) => matches(event, filter)),
      args,
    );

  /** The parts of a response that a naive count has, too. */
  function simplify({ body }: Awaited<ReturnType<typeof ask>>) {
    if (body.errors) {
      const [, fitting = null] = /use ([A-Z]+), or/.exec(body.errors[0].message) ?? [];
      expect(body.errors[0].message).toContain('gives more than');
      return { fitting };
    }
    const { version, ...counts } = body.data.eventCounts;
    expect(version).toEqual(expect.any(String));
    return { counts };
  }

  test.each([
    ['of old events', LAST + YEAR],
    // Counts of ranges that end today or later are made from tables that are kept.
    ['of today', FIRST],
  ])('any filter, interval, zone and group, %s → the numbers of a naive count', async (_, now) => {
    jest.spyOn(Date, 'now').mockReturnValue(now);
    const seen = { accepted: 0, rejected: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(newEvent, { maxLength: 30 }),
        fc.array(request, { minLength: 3, maxLength: 3 }),
        async (events, requests) => {
          await insert(events);
          const log = await readAll();
          for (const each of requests) {
            const found = simplify(await ask(each));
            seen['counts' in found ? 'accepted' : 'rejected'] += 1;
            expect(found).toEqual(expected(log, each));
          }
        },
      ),
      { seed: 20261123, numRuns: randomRuns(24) },
    );
    expect(seen.accepted).toBeGreaterThan(seen.rejected);
    expect(seen.rejected).toBeGreaterThan(0);
  });

  test('other ranges with the same filter, interval and group, while events are added → the numbers of a naive count', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(FIRST);
    const steps = fc.array(fc.tuple(range, fc.array(newEvent, { maxLength: 5 })), { minLength: 4, maxLength: 10 });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(request, steps, async ({ args, filter }, all) => {
        for (const [ends, events] of all) {
          await insert(events);
          const each: Request = { args: { ...args, ...ends }, filter };
          const found = simplify(await ask(each));
          expect(found).toEqual(expected(await readAll(), each));
          if ('counts' in found) accepted += 1;
        }
      }),
      { seed: 20261126, numRuns: randomRuns(20) },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  test('ranges that begin a little later or earlier each time, while events are added around the beginning → the numbers of a naive count', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(FIRST);
    const step = fc.record({ hours: fc.integer({ min: -6, max: 60 }), events: fc.array(newEvent, { maxLength: 5 }) });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        request,
        instant,
        fc.array(step, { minLength: 4, maxLength: 10 }),
        async ({ args, filter }, start, steps) => {
          let since = start;
          for (const { hours, events } of steps) {
            since += hours * 60 * MINUTE;
            const near = events.map((event, index) => ({ ...event, at: since + (index - 2) * 7 * 60 * MINUTE }));
            await insert(near);
            const each: Request = { args: { ...args, interval: 'MONTH', since, until: null }, filter };
            const found = simplify(await ask(each));
            expect(found).toEqual(expected(await readAll(), each));
            if ('counts' in found) accepted += 1;
          }
        },
      ),
      { seed: 20261127, numRuns: randomRuns(20) },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  test('a later range, and the same one again → the events before the range are read once', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(FIRST);
    await insert([5, 7].map((days) => ({ ...EVENT, at: FIRST + days * DAY })));
    const args = { by: 'TYPE', interval: 'MONTH', timeZone: 'UTC', top: 9, since: FIRST + 5 * DAY, until: null } as CountsArgs;
    await ask({ args, filter: {} });
    const statements = recordSql();
    const later = { ...args, since: FIRST + 6 * DAY };
    for (const each of [args, later, later])
      expect(simplify(await ask({ args: each, filter: {} }))).toEqual(expected(await readAll(), { args: each, filter: {} }));
    const added = statements(/'settled'/);
    expect(added).toHaveLength(3);
    expect(added.map((statement) => statement.includes("'old'"))).toEqual([false, true, false]);
  });

  test('a day and a quarter with AUTO, requested in turn → each uses its kept numbers', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(LAST);
    await insert([{ ...EVENT, at: LAST - MINUTE }]);
    const requests = [1, 90].map((days): Request => {
      const args = { by: null, interval: 'AUTO', timeZone: 'UTC', top: 1, since: LAST - days * DAY, until: null } as CountsArgs;
      return { args, filter: {} };
    });
    for (const each of requests) await ask(each);
    const statements = recordSql();
    for (const each of [...requests, ...requests]) expect(simplify(await ask(each))).toEqual(expected(await readAll(), each));
    expect(statements(/WITH cells AS/)).toEqual([]);
  });

  test('events are added and deleted meanwhile → the numbers of one moment', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(FIRST);
    const acts = fc.array(
      fc.record({
        events: fc.array(newEvent, { minLength: 1, maxLength: 9 }),
        pauseMs: fc.nat({ max: 8 }),
        isDeletion: fc.nat({ max: 5 }),
      }),
      {
        minLength: 2,
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(acts, fc.array(request, { minLength: 3, maxLength: 3 }), async (all, requests) => {
        const moments = [await readAll()];
        let begun = 0;
        let isOver = false;
        const read = async (each: Request) => {
          while (!isOver) {
            const from = moments.length - 1;
            const found = simplify(await ask(each));
            seen.push({ each, found, from, to: begun });
            await wait(1);
          }
        };
        const seen: { each: Request; found: object; from: number; to: number }[] = [];
        const readers = requests.map(read);
        for (const { events, pauseMs, isDeletion } of all) {
          await wait(pauseMs);
          begun += 1;
          if (isDeletion === 0) await gateway.database.read({ text: 'DELETE FROM events WHERE id % 7 = 0', values: [] });
          else await insert(events);
          moments.push(await readAll());
        }
        isOver = true;
        await Promise.all(readers);
        for (const { each, found, from, to } of seen)
          expect(moments.slice(from, to + 1).map((log) => expected(log, each))).toContainEqual(found);
      }),
      // A failure depends on the order in time, so it is not shrunk.
      { numRuns: randomRuns(6), endOnFailure: true },
    );
  });

  test.each([
    ['DAY', 'Europe/Berlin', '2024-03-30T23:00:00Z', '2024-04-01T22:00:00Z', [23, 24]],
    ['DAY', 'Europe/Berlin', '2024-10-26T22:00:00Z', '2024-10-28T23:00:00Z', [25, 24]],
    ['DAY', 'America/Havana', '2024-11-03T04:00:00Z', '2024-11-04T05:00:00Z', [25]],
    ['DAY', 'Pacific/Apia', '2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z', [24, 24]],
    ['HOUR', 'Asia/Kathmandu', '2024-01-01T00:15:00Z', '2024-01-01T02:15:00Z', [1, 1]],
    ['HOUR', 'Australia/Lord_Howe', '2024-04-06T14:00:00Z', '2024-04-06T16:30:00Z', [1.5, 1]],
    ['WEEK', 'UTC', '2024-12-30T00:00:00Z', '2025-01-13T00:00:00Z', [168, 168]],
    ['MONTH', 'Asia/Beirut', '2024-02-29T22:00:00Z', '2024-04-30T21:00:00Z', [743, 720]],
  ] as const)('%s in %s from %s to %s → buckets of %j hours', async (interval, timeZone, since, until, hours) => {
    const { body } = await gateway.graphql(COUNTS, { interval, timeZone, top: 1, filter: { since, until } });
    const lengths = body.data.eventCounts.buckets.map(
      ({ start, end }: { start: string; end: string }) => (Date.parse(end) - Date.parse(start)) / (60 * MINUTE),
    );
    expect(lengths).toEqual(hours);
  });

  test('a range of eight years with AUTO → quarters', async () => {
    const filter = { since: '2016-01-01T00:00:00Z', until: '2024-01-01T00:00:00Z' };
    const { body } = await gateway.graphql(COUNTS, { interval: 'AUTO', timeZone: 'UTC', top: 1, filter });
    expect(body.data.eventCounts.interval).toBe('MONTH');
    expect(body.data.eventCounts.buckets).toHaveLength(32);
    expect((Date.parse(body.data.eventCounts.buckets[0].end) - Date.parse(filter.since)) / DAY).toBe(91);
  });
});
