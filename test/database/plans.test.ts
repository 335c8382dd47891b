import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/open.js';
import type { Query, ReadOptions } from '../../src/database/read.js';
import type { EventCriteria } from '../../src/events/event.js';
import { createEventStore, type EventStore } from '../../src/events/event.store.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const RANGE = { after: 1000, upTo: 1100, isShort: true };
const POSITION = { createdAt: '2024-01-01T00:00:00.000000Z', id: 1 };

/** Matches a scan of `index` with a condition on `column`. */
const scanOf = (index: string, column: string) => new RegExp(`${index}[^>]*?Index Cond: .*\\b${column}\\b`, 's');
const trigramScanOf = (column: string) => `events_${column}_trigram_idx[^>]*?Index Cond: .*${column}\\)::text ~~\\*`;

/** Each filter, with a pattern that the plan of every query with this filter has to match. */
const FILTERS: [string, EventCriteria, RegExp][] = [
  ['no filter', {}, /events_(created_at_id_idx|pkey)/],
  // A short range is counted by id, for any flag.
  [
    'a flag',
    { featureNames: ['f'] },
    /events_feature_name_created_at_id_idx[^>]*?Index Cond: .*feature_name|events_pkey[^>]*?Index Cond: \(id >/s,
  ],
  ['flags', { featureNames: ['f', 'g'] }, scanOf('events_feature_name_created_at_id_idx', 'feature_name')],
  ['a project', { projects: ['p'] }, scanOf('events_project_created_at_id_idx', 'project')],
  ['projects', { projects: ['p', 'q'] }, scanOf('events_project_created_at_id_idx', 'project')],
  ['the projects of the caller', { visibleProjects: ['p', 'q'] }, scanOf('events_project_created_at_id_idx', 'project')],
  ['a type', { types: { names: ['t'], orUnlisted: false } }, scanOf('events_type_created_at_id_idx', 'type')],
  // The index yields the unlisted types. Their share of the log then decides how the events are read.
  ['types that are not listed', { types: { names: ['t'], orUnlisted: true } }, /events_type_created_at_id_idx/],
  ['an author', { createdByUserIds: [1] }, scanOf('events_created_by_user_id_created_at_id_idx', 'created_by_user_id')],
  ['a name of an author', { createdByNames: ['n'] }, scanOf('events_created_by_created_at_id_idx', 'created_by')],
  ['an environment', { environments: ['e'] }, scanOf('events_environment_created_at_id_idx', 'environment')],
  ['days', { from: '2024-01-01', to: '2024-01-02' }, scanOf('events_created_at_id_idx', 'created_at')],
  [
    'instants',
    { since: '2024-01-01T00:00:00.000Z', until: '2024-01-02T00:00:00.000Z' },
    scanOf('events_created_at_id_idx', 'created_at'),
  ],
  ['text in data', { text: { literal: 'abc', in: ['data'] } }, new RegExp(trigramScanOf('data'), 's')],
  [
    'text in all',
    { text: { literal: 'abc', in: ['data', 'preData', 'tags'] } },
    // In a log this small, counting by id is as fast.
    new RegExp(
      `${trigramScanOf('data')}.*${trigramScanOf('pre_data')}.*${trigramScanOf('tags')}|events_pkey[^>]*?Index Cond: \\(id <= 1000\\)`,
      's',
    ),
  ],
  // PostgreSQL 18 can skip-scan every index that has a time. In a log this small, all of them cost about the same.
  ['text of two characters', { text: { literal: 'ab', in: ['data'] } }, /events_(\w*created_at_id_idx|pkey)/],
];

/** Returns the plans of the queries of `work`. Sequential scans are disabled, because they would win in a log this small. */
async function plansOn(database: Database, work: (store: EventStore) => Promise<unknown>): Promise<string[]> {
  const queries: Query[] = [];
  const store = createEventStore(async <Row extends object>(query: Query, options?: ReadOptions) => {
    queries.push({ text: query.text, values: query.values });
    return database.read<Row>(query, options);
  });
  await work(store);
  return database.transaction(async ({ query }) => {
    await query({ text: 'SET LOCAL enable_seqscan = off', values: [] });
    const plans: string[] = [];
    // The query for the epoch is left out: its table has one row.
    for (const { text, values } of queries.filter((query) => query.text.includes('FROM events'))) {
      const lines = await query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}`, values });
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
    }
    return plans;
  });
}

describe('query plans of the log', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('log');
    database = await openDatabase(testDatabase.location);
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const plansOf = (work: (store: EventStore) => Promise<unknown>) => plansOn(database, work);

  test.each(FILTERS)('%s → no sequential scan', async (_, criteria, index) => {
    const plans = await plansOf(async (store) => {
      await store.list(criteria, { offset: 0, limit: 50 });
      await store.list(criteria, { offset: 500, limit: 50 });
      await store.list(criteria, { after: POSITION, before: null, from: 'newest', size: 51 });
      await store.list(criteria, { after: null, before: POSITION, from: 'oldest', size: 51 });
      await store.existsFrom(criteria, POSITION, 'newer');
      await store.count(criteria, RANGE);
      await store.countUpTo(criteria, 1000);
      await store.countAndList(criteria, { offset: 0, limit: 50 }, RANGE);
    });
    // A search for free text first samples texts by id.
    if (criteria.text) expect(plans.shift()).toMatch(scanOf('events_pkey', 'id'));
    expect(plans).toHaveLength(8);
    for (const plan of plans) {
      expect(plan).not.toMatch(/Seq Scan on events/);
      expect(plan).toMatch(index);
    }
  });

  test('one event, and the highest id → an index scan', async () => {
    const plans = await plansOf(async (store) => {
      await store.find(1, { visibleProjects: ['p'] });
      await store.readEnd();
    });
    for (const plan of plans) expect(plan).toMatch(/Index.* using events_/);
  });
});

test('counts by day → the planner expects few groups, although each event has another time', async () => {
  const testDatabase = await createTestDatabase('empty');
  const database = await openDatabase(testDatabase.location);
  await database.prisma.$executeRaw`
    INSERT INTO events (created_at, type, created_by)
    SELECT timestamptz '2024-01-01' + n * interval '4 minutes', 'type-' || n % 5, 'a' FROM generate_series(1, 10000) AS n`;
  await database.prisma.$executeRaw`ANALYZE events`;
  const starts = Array.from({ length: 30 }, (_, day) => Date.parse('2024-01-01') + day * DAY_MS);
  const [plan] = await plansOn(database, (store) => store.readTable({}, { by: 'TYPE', starts, most: 10 }));
  await database.close();
  await testDatabase.drop();
  const [, groups] = /CTE cells\s+-> +HashAggregate +\(.* rows=(\d+) /.exec(plan ?? '') ?? [];
  expect(Number(groups)).toBeLessThan(5000);
});
