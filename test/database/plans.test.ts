import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase, type Query } from '../../src/database/open.js';
import type { EventCriteria } from '../../src/events/event.js';
import { createEventStore, type EventStore } from '../../src/events/event.store.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const POSITION = { createdAt: '2024-01-01T00:00:00.000000Z', id: 1 };

/** Each filter, and the index that has to find what it keeps, if there is more of a log than a page. */
const FILTERS: [string, EventCriteria, RegExp][] = [
  ['no filter', {}, /events_(created_at_id_idx|pkey)/],
  ['a flag', { featureNames: ['f'] }, /events_feature_name_created_at_id_idx/],
  ['flags', { featureNames: ['f', 'g'] }, /events_feature_name_created_at_id_idx/],
  ['a project', { projects: ['p'] }, /events_project_created_at_id_idx/],
  ['projects', { projects: ['p', 'q'] }, /events_project_created_at_id_idx/],
  ['the projects of the caller', { visibleProjects: ['p', 'q'] }, /events_project_created_at_id_idx/],
  ['a type', { types: { names: ['t'], orUnlisted: false } }, /events_type_created_at_id_idx/],
  ['types that are not listed', { types: { names: ['t'], orUnlisted: true } }, /events_type_created_at_id_idx/],
  ['an author', { createdByUserIds: [1] }, /events_created_by_user_id_created_at_id_idx/],
  ['an environment', { environments: ['e'] }, /events_environment_created_at_id_idx/],
  ['days', { from: '2024-01-01', to: '2024-01-02' }, /events_created_at_id_idx/],
  ['text in data', { text: { literal: 'abc', in: ['data'] } }, /events_data_trigram_idx/],
  ['text in all', { text: { literal: 'a%c', in: ['data', 'preData', 'tags'] } }, /events_(created_at_id|data_trigram)_idx/],
  ['text of two characters', { text: { literal: 'ab', in: ['data'] } }, /events_(created_at_id_idx|pkey)/],
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
      for (const { text, values } of queries) {
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
      await store.countSettled(criteria, 1000);
      await store.countAndListPage(criteria, { offset: 0, limit: 50 }, 1000, 1100);
    });
    // Before free text is looked for, texts are sampled.
    expect(plans).toHaveLength(criteria.text ? 9 : 8);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on events/);
    expect(plans.join('\n')).toMatch(index);
  });

  test('a flag whole, one event, and the end of the log', async () => {
    const plans = await plansOf(async (store) => {
      await store.find(1, { visibleProjects: ['p'] });
      await store.findHighestId();
    });
    for (const plan of plans) expect(plan).toMatch(/Index.* using events_/);
  });
});
