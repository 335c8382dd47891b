import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OTHER, toEventType } from '../../src/events/event-types.js';
import { detailsOf, expectError } from '../support/expect-error.js';
import { toFilterParameters } from '../support/filter-parameters.js';
import { v1Filter } from '../support/log-filters.js';
import { filterLog } from '../support/naive-filter.js';
import { parseCsv, toWireEvent } from '../support/parse-csv.js';
import { randomRuns } from '../support/random-runs.js';
import { recordedEvents } from '../support/recorded-log.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const EXPORT = '/v1/events/export';
const RUNS = { seed: 20261123, numRuns: randomRuns(100) };
const byId = [...recordedEvents].sort((a, b) => a.id - b.id);
const highestId = byId.at(-1)?.id;

const linesOf = (text: string) => text.split('\n').slice(0, -1);
const eventsOf = (text: string) => linesOf(text).map((line) => JSON.parse(line));

interface ExportPage {
  readonly upTo: number;
  readonly count: number;
  readonly events: readonly { readonly id: number }[];
}

describe('GET /v1/events/export', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  const exportLog = async (parameters = '', token = gateway.adminToken) => {
    const response = await gateway.send(`${EXPORT}?${parameters}`, { token });
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: undefined });
    return response;
  };

  test('without parameters → every event in wire form on a line of its own, lowest id first, and headers about them', async () => {
    const { text, headers } = await exportLog();
    expect(eventsOf(text)).toEqual(byId);
    expect(text.endsWith('}\n')).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="events-up-to-${highestId}.ndjson"`,
      'cache-control': 'no-store',
      'x-export-up-to': String(highestId),
      'x-export-count': String(byId.length),
    });
    expect((await exportLog('format=ndjson')).text).toBe(text);
  });

  test('format=csv → the same events for a strict parser of RFC 4180', async () => {
    const { text, headers } = await exportLog('format=csv&formulas=keep');
    expect(parseCsv(text).map(toWireEvent)).toEqual(byId);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="events-up-to-${highestId}.csv"`,
      'x-export-count': String(byId.length),
    });
  });

  test('random filters → the same events as a comparison with each of them, and their number', async () => {
    let selective = 0;
    await fc.assert(
      fc.asyncProperty(v1Filter, async (filter) => {
        const expected = filterLog(filter).map(({ id }) => id);
        const { text, headers } = await exportLog(toFilterParameters(filter, 'IS_ANY_OF'));
        expect(eventsOf(text).map(({ id }) => id)).toEqual(expected.sort((a, b) => a - b));
        expect(headers['x-export-count']).toBe(String(expected.length));
        if (expected.length > 0 && expected.length < byId.length) selective += 1;
      }),
      RUNS,
    );
    expect(selective).toBeGreaterThan(RUNS.numRuns / 3);
  });

  test.each(['IS_NOT:feature-created', 'IS_NONE_OF:feature-created, feature-updated'])(
    'type=%s → all events of other types, also of types that are not listed',
    async (list) => {
      const excluded = list.replace(/^.*:/, '').split(', ');
      const expected = byId.filter(({ type }) => !excluded.includes(type));
      const { text, headers } = await exportLog(`type=${encodeURIComponent(list)}`);
      expect(eventsOf(text)).toEqual(expected);
      expect(headers['x-export-count']).toBe(String(expected.length));
      expect(expected.length).toBeLessThan(byId.length);
      expect(new Set(expected.map(({ type }) => toEventType(type)))).toContain(OTHER);
      const counts = await gateway.send(`/v1/events/counts?type=${encodeURIComponent(list)}`);
      expect(counts.body).toMatchObject({ total: expected.length });
    },
  );

  test.each(['ndjson', 'csv'])('%s cut off at random bytes, and the rest requested → the same bytes', async (format) => {
    const { text } = await exportLog(`format=${format}`);
    const whole = Buffer.from(text);
    const end = format === 'csv' ? '\r\n' : '\n';
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 600, max: whole.length - 1 }), async (bytes) => {
        const cut = whole.subarray(0, bytes);
        const kept = cut.subarray(0, cut.lastIndexOf(end) + end.length);
        const last = kept.toString().split(end).at(-2) ?? '';
        const [, id] = /^(?:\{"id":)?(\d+),/.exec(last) ?? [];
        const rest = await exportLog(`format=${format}&after=${id}&up-to=${highestId}`);
        expect(kept.toString() + rest.text).toBe(text);
        expect(rest.headers['x-export-up-to']).toBe(String(highestId));
        expect(Number(rest.headers['x-export-count'])).toBe(byId.filter((event) => event.id > Number(id)).length);
        if (format === 'csv') expect(rest.headers['content-type']).toBe('text/csv; charset=utf-8; header=absent');
      }),
      { ...RUNS, numRuns: randomRuns(40) },
    );
  });

  test('a limited token → only events of its projects, and their number', async () => {
    const token = await gateway.createToken({ name: 'limited', projects: ['other-project'] });
    const expected = byId.filter(({ project }) => project === 'other-project');
    const { text, headers } = await exportLog('', token);
    expect(expected.length).toBeGreaterThan(0);
    expect(eventsOf(text)).toEqual(expected);
    expect(headers['x-export-count']).toBe(String(expected.length));
    const none = await exportLog('format=csv&project=IS:default', token);
    expect([parseCsv(none.text), none.headers['x-export-count']]).toEqual([[], '0']);
  });

  test('after alone → later events with a header; nothing after the last one', async () => {
    const { text } = await exportLog(`format=csv&formulas=keep&after=${byId[99]?.id}`);
    expect(parseCsv(text).map(toWireEvent)).toEqual(byId.slice(100));
    const { text: none, headers } = await exportLog(`after=${highestId}`);
    expect([none, headers['x-export-count']]).toEqual(['', '0']);
  });

  test('x-feed-cursor → the feed has what was added since then, also below the end; absent for a rest', async () => {
    const above = (
      await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'x', id: (highestId ?? 0) + 50 } })
    ).id;
    const { headers } = await exportLog();
    const cursor = headers['x-feed-cursor'];
    const readFeed = async () =>
      (await gateway.send(`/v1/events/feed?after=${cursor}`)).body.events.map(({ id }: { id: number }) => id);
    expect(await readFeed()).toEqual([]);
    const below = (await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'x', id: above - 20 } })).id;
    const added = (await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'x', id: above + 1 } })).id;
    expect(await readFeed()).toEqual([below, added]);
    expect((await exportLog(`up-to=${highestId}`)).headers['x-feed-cursor']).toBeUndefined();
    await gateway.prisma.event.deleteMany({ where: { id: { in: [above, below, added] } } });
  });

  test('events that are added later → not in an export up to an earlier end, but in a new one', async () => {
    const before = await exportLog();
    const { id } = await gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'later' } });
    expect((await exportLog(`up-to=${highestId}`)).text).toBe(before.text);
    const after = await exportLog();
    expect(after.headers['x-export-up-to']).toBe(String(id));
    expect(after.text.startsWith(before.text)).toBe(true);
    expect(eventsOf(after.text.slice(before.text.length)).map((event) => event.id)).toEqual([id]);
    await gateway.prisma.event.delete({ where: { id } });
  });

  test('HEAD → the headers without a body', async () => {
    const { status, text, headers } = await gateway.send(`${EXPORT}?format=csv&project=IS:other-project`, { method: 'HEAD' });
    const count = byId.filter(({ project }) => project === 'other-project').length;
    expect({ status, text }).toEqual({ status: 200, text: '' });
    expect(headers['x-export-count']).toBe(String(count));
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
  });

  test('a text that begins as a formula → an apostrophe before it in CSV, unless formulas=keep', async () => {
    const formulas = ['=1+1', '+1', '-1', '@a', '\ta', '\ra', '\na', "'=a", 'a=1', ' =a', '"=1"', ''];
    const ids: number[] = [];
    for (const featureName of formulas) {
      const data = { type: 'feature-created', createdBy: featureName, createdByUserId: -1337, featureName, data: '-1' };
      ids.push((await gateway.prisma.event.create({ data })).id);
    }
    const parameters = `format=csv&id=IS_ANY_OF:${ids.join()}`;
    const guarded = parseCsv((await exportLog(parameters)).text);
    const kept = parseCsv((await exportLog(`${parameters}&formulas=keep`)).text);
    expect(kept.map(({ featureName }) => featureName)).toEqual(formulas);
    expect(guarded.map(({ featureName }) => featureName)).toEqual(
      formulas.map((text) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)),
    );
    for (const { createdByUserId, createdBy, featureName } of guarded) {
      expect(createdByUserId).toBe('-1337');
      expect(createdBy).toBe(featureName);
    }
    await gateway.prisma.event.deleteMany({ where: { id: { in: ids } } });
  });

  test('a formula behind a semicolon, a tab or a line break, perhaps with quotes → guarded too, and JSON keeps its value', async () => {
    const texts = {
      'a;=1': "a;'=1",
      'a;"=1+1;b': `a;"'=1+1;b`,
      'a;""@a': `a;""'@a`,
      'a";=1': `a";'=1`,
      'a\t+1': "a\t'+1",
      'a\n@a': "a\n'@a",
      'a\r\n-1': "a\r\n'-1",
      'a;b=1': 'a;b=1',
      ';': ';',
    };
    const { id: before } = await gateway.prisma.event.findFirstOrThrow({ orderBy: { id: 'desc' } });
    for (const featureName of Object.keys(texts)) {
      await gateway.prisma.event.create({
        data: { type: 'feature-created', createdBy: 'a', featureName, data: { a: `${featureName};=` } },
      });
    }
    const parameters = `format=csv&after=${before}`;
    const { text } = await exportLog(parameters);
    const events = parseCsv(text);
    expect(events.map(({ featureName }) => featureName)).toEqual(Object.values(texts));
    expect(events.map(({ data }) => JSON.parse(data ?? 'null').a)).toEqual(Object.keys(texts).map((name) => `${name};=`));
    expect(text.split('\r\n').filter((line) => /;"*=/.test(line))).toEqual([]);
    // LibreOffice also splits records at semicolons and tabs, unless they are in quotes.
    expect(text).toMatch(/,"a;b=1",.*,"\{""a"":/);
    const kept = parseCsv((await exportLog(`${parameters}&formulas=keep`)).text);
    expect(kept.map(({ featureName }) => featureName)).toEqual(Object.keys(texts));
    await gateway.prisma.event.deleteMany({ where: { id: { gt: before } } });
  });

  test('odd rows → one line each, with the values as stored', async () => {
    const ids = await gateway.prisma.$queryRaw<{ id: number }[]>`
      INSERT INTO events (type, created_by, feature_name, data, pre_data, tags) VALUES
        ('feature-created', '', E'a\r\nb\u2028"c",d', E'{\n  "a": 1.10,\r\n "a": 12345678901234567890}', '"text"', 'null'),
        ('feature-created', 'x', NULL, '[1, "\\n"]', 'null', NULL) RETURNING id`;
    const parameters = `id=IS_ANY_OF:${ids.map(({ id }) => id).join()}`;
    const { text } = await exportLog(parameters);
    expect(linesOf(text)).toHaveLength(2);
    expect(text).toContain('"data":{   "a": 1.10,  "a": 12345678901234567890}');
    const csv = parseCsv((await exportLog(`${parameters}&format=csv`)).text);
    expect(csv.map(toWireEvent)).toEqual(eventsOf(text));
    expect(csv[0]).toMatchObject({ createdBy: '', featureName: 'a\r\nb\u2028"c",d', preData: '"text"', tags: '[]' });
    await gateway.prisma.event.deleteMany({ where: { id: { in: ids.map(({ id }) => id) } } });
  });

  test('everything that is wrong → 400 that names each problem', async () => {
    const response = await gateway.send(
      `${EXPORT}?format=xml&formulas=no&after=x&up-to=1.5&feature=a&Project=IS:a&limit=5&from=IS:2026-02-30`,
    );
    expectError(response, 400, 'BadDataError');
    expect(response.body.details.map(({ path }: { path: string }) => path).sort()).toEqual(
      ['Project', 'after', 'feature', 'format', 'formulas', 'from', 'limit', 'up-to'].sort(),
    );
  });

  test.each([
    ['formulas=keep', 'formulas belongs to format=csv'],
    ['format=csv&format=csv', 'format must not be given more than once'],
    ['after=99999999999', 'after must be the id of an event: a whole number up to 2147483647'],
    ['createdByName=IS:', 'createdByName must contain at least one value; omit it to include all events'],
    ['type=IS_NOT:', 'type must contain at least one value; omit it to include all events'],
    ['type=IS_NONE_OF:feature-created,no-such-type', 'type can exclude only types that EventType of the GraphQL schema lists'],
    [`type=IS_NOT:${'feature-created,'.repeat(501)}`, 'type must contain at most 500 values'],
    ['type=feature-created', /^type must be IS:, IS_ANY_OF:, IS_NOT: or IS_NONE_OF: followed by /],
    ['project=IS_NOT:default', /^project must be IS: or IS_ANY_OF: /],
    ['since=2026-01-01', /^since must be an RFC 3339 date-time with a zone/],
    ['Until=2026-01-01T00:00:00Z', 'Until must be written until'],
    ['limit=5', /^limit is not known here\. The parameters are query, .*, createdByName, since, until, format, /],
    ['up-to=2147483647', /^up-to must not be above \d+, the highest id of the log$/],
  ])('%s → 400', async (parameters, problem) => {
    const response = await gateway.send(`${EXPORT}?${parameters}`);
    expectError(response, 400, 'BadDataError');
    expect(detailsOf(response)).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
  });

  test('no token, a wrong token, POST → 401, 401, 404', async () => {
    expectError(await gateway.send(EXPORT, { token: null }), 401, 'AuthenticationRequired');
    expectError(await gateway.send(EXPORT, { token: 'wrong' }), 401, 'UnauthorizedError');
    expectError(await gateway.send(EXPORT, { method: 'POST' }), 404, 'NotFoundError');
  });

  test('eventExport of GraphQL → the same events in pages', async () => {
    const query = `query ($after: Int, $upTo: Int) {
      eventExport(after: $after, upTo: $upTo, first: 300, filter: { projects: ["default"] }) { upTo count events { id } }
    }`;
    const expected = byId.flatMap(({ id, project }) => (project === 'default' ? id : []));
    const found: number[] = [];
    for (let upTo: number | null = null; ; ) {
      const { body } = await gateway.graphql(query, { after: found.at(-1) ?? null, upTo });
      expect(body.errors).toBeUndefined();
      const { eventExport }: { eventExport: ExportPage } = body.data;
      expect(eventExport.count).toBe(expected.length - found.length);
      found.push(...eventExport.events.map(({ id }) => id));
      upTo = eventExport.upTo;
      if (eventExport.events.length < 300) break;
    }
    expect(found).toEqual(expected);
    expect((await gateway.graphql('{ eventExport(first: 1001) { upTo } }')).body.errors[0].extensions).toMatchObject({
      name: 'BadDataError',
      details: [{ path: 'first' }],
    });
  });

  test('an empty log → an empty file, and only a header for CSV', async () => {
    const empty = await startTestGateway('empty');
    try {
      const { status, text, headers } = await empty.send(EXPORT);
      expect([status, text, headers['x-export-count'], headers['x-export-up-to']]).toEqual([200, '', '0', '0']);
      expect(parseCsv((await empty.send(`${EXPORT}?format=csv`)).text)).toEqual([]);
    } finally {
      await empty.stop();
    }
  });
});
