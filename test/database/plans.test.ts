import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/open.js';
import type { Query } from '../../src/database/read.js';
import type { EventCriteria } from '../../src/events/event.js';
import { createEventStore, type EventStore } from '../../src/events/event.store.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const POSITION = { createdAt: '2024-01-01T00:00:00.000000Z', id: 1 };

/** A scan of that index by a condition on that column. */
const scanOf = (index: string, column: string) => new RegExp(`${index}[^>]*?Index Cond: .*\\b${column}\\b`, 's');
const ofText = (column: string) => `events_${column}_trigram_idx[^>]*?Index Cond: .*${column}\\)::text ~~\\*`;

/** Each filter, and what the plan of every query that has it does. */
const FILTERS: [string, EventCriteria, RegExp][] = [
  ['no filter', {}, /events_(created_at_id_idx|pkey)/],
  ['a flag', { featureNames: ['f'] }, scanOf('events_feature_name_created_at_id_idx', 'feature_name')],
  ['flags', { featureNames: ['f', 'g'] }, scanOf('events_feature_name_created_at_id_idx', 'feature_name')],
  ['a project', { projects: ['p'] }, scanOf('events_project_created_at_id_idx', 'project')],
  ['projects', { projects: ['p', 'q'] }, scanOf('events_project_created_at_id_idx', 'project')],
  ['the projects of the caller', { visibleProjects: ['p', 'q'] }, scanOf('events_project_created_at_id_idx', 'project')],
  ['a type', { types: { names: ['t'], orUnlisted: false } }, scanOf('events_type_created_at_id_idx', 'type')],
  // Which these are is read from the index, and then how much of the log they are decides.
  ['types that are not listed', { types: { names: ['t'], orUnlisted: true } }, /events_type_created_at_id_idx/],
  ['an author', { createdByUserIds: [1] }, scanOf('events_created_by_user_id_created_at_id_idx', 'created_by_user_id')],
  ['an environment', { environments: ['e'] }, scanOf('events_environment_created_at_id_idx', 'environment')],
  ['days', { from: '2024-01-01', to: '2024-01-02' }, scanOf('events_created_at_id_idx', 'created_at')],
  ['text in data', { text: { literal: 'abc', in: ['data'] } }, new RegExp(ofText('data'), 's')],
  [
    'text in all',
    { text: { literal: 'abc', in: ['data', 'preData', 'tags'] } },
    // A log as small as this one is as soon counted by its ids.
    new RegExp(`${ofText('data')}.*${ofText('pre_data')}.*${ofText('tags')}|events_pkey[^>]*?Index Cond: \\(id <= 1000\\)`, 's'),
  ],
  // PostgreSQL 18 can skip in any index with a time, and takes one as well as another in a log as small as this one.
  ['text of two characters', { text: { literal: 'ab', in: ['data'] } }, /events_(\w*created_at_id_idx|pkey)/],
];

describe('no query of the log scans the table', () => {
  let location: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    location = await createTestDatabase('log');
    database = await openDatabase(location.location);
  });
  afterAll(async () => {
    await database.close();
    await location.drop();
  });

  /** The plans of what `work` reads, in a log that is small here, as if reading all of it were out of the question. */
  async function plansOf(work: (store: EventStore) => Promise<unknown>): Promise<string[]> {
    const queries: Query[] = [];
    const store = createEventStore(async <Row extends object>(query: Query) => {
      queries.push({ text: query.text, values: query.values });
      return database.read<Row>({ text: query.text, values: query.values });
    });
    await work(store);
    return database.transaction(async ({ query }) => {
      await query({ text: 'SET LOCAL enable_seqscan = off', values: [] });
      const plans: string[] = [];
      // The epoch is in a table of one row.
      for (const { text, values } of queries.filter((query) => query.text.includes('FROM events'))) {
        const lines = await query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}`, values });
        plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
      }
      return plans;
    });
  }

  test.each(FILTERS)('%s', async (_, criteria, index) => {
    const plans = await plansOf(async (store) => {
      await store.listPage(criteria, { offset: 0, limit: 50 });
      await store.listPage(criteria, { offset: 500, limit: 50 });
      await store.listWindow(criteria, { after: POSITION, before: null, from: 'newest', size: 51 });
      await store.listWindow(criteria, { after: null, before: POSITION, from: 'oldest', size: 51 });
      await store.existsFrom(criteria, POSITION, 'newer');
      await store.count(criteria, 1000, 1100);
      await store.countUpTo(criteria, 1000);
      await store.countAndListPage(criteria, { offset: 0, limit: 50 }, 1000, 1100);
    });
    // Before free text is looked for, texts are sampled by their ids.
    if (criteria.text) expect(plans.shift()).toMatch(scanOf('events_pkey', 'id'));
    expect(plans).toHaveLength(8);
    for (const plan of plans) {
      expect(plan).not.toMatch(/Seq Scan on events/);
      expect(plan).toMatch(index);
    }
  });

  test('a flag whole, one event, and the end of the log', async () => {
    const plans = await plansOf(async (store) => {
      await store.find(1, { visibleProjects: ['p'] });
      await store.findHighestId();
    });
    for (const plan of plans) expect(plan).toMatch(/Index.* using events_/);
  });
});
