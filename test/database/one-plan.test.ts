import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/database/open.js';
import { type Query, type ReadOptions, toDriverQuery } from '../../src/database/read.js';
import type { EventCriteria } from '../../src/events/event.js';
import { createEventStore } from '../../src/events/event.store.js';
import { type EpochSource, UNLEASH_EPOCH } from '../../src/log-version/epoch.store.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const EVENTS = 10_000;
const RUNS = 12;
/** PostgreSQL plans the first five runs of a prepared statement for their values. */
const CUSTOM_RUNS = 5;
const RANGE = { after: EVENTS - 10, upTo: EVENTS - 5, isShort: true };
const SPAN_MS = Date.parse('2024-01-02T00:00:00Z');
const POSITION = { createdAt: '2024-01-02T00:00:00.000000Z', id: 100 };

// Statements are prepared on PostgreSQL only.
(isPostgres ? describe : describe.skip)('the plans of frequent queries', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let client: pg.Client;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('empty');
    database = await openDatabase(testDatabase.location);
    client = new pg.Client({ connectionString: 'url' in testDatabase.location ? testDatabase.location.url : '' });
    await client.connect();
    // The flag `busy` has half of the events, and other flags a hundred each. Ids do not follow the times.
    await client.query(`
      INSERT INTO events (type, created_by, feature_name, created_at)
      SELECT 'feature-updated', 'x', CASE WHEN n % 2 = 0 THEN 'busy' ELSE 'flag-' || n % 100 END,
        '2024-01-01'::timestamptz + (n * 7919 % ${EVENTS}) * interval '1 minute'
      FROM generate_series(1, ${EVENTS}) AS n`);
    await client.query('ANALYZE events');
  });
  afterAll(async () => {
    await client.end();
    await database.close();
    await testDatabase.drop();
  });

  const queriesOf = async (criteria: EventCriteria, epochs?: EpochSource): Promise<Query[]> => {
    const queries: Query[] = [];
    const store = createEventStore(async <Row extends object>(query: Query, options?: ReadOptions) => {
      if (options?.isPrepared) queries.push(query);
      return database.read<Row>(query, options);
    }, epochs);
    await store.list(criteria, { offset: 0, limit: 50 }, { fields: ['id'] });
    await store.list(criteria, { after: POSITION, before: null, from: 'newest', size: 51 });
    await store.count(criteria, RANGE);
    await store.countAndList(criteria, { offset: 0, limit: 50 }, RANGE);
    await store.listWithEpoch(criteria, { offset: 0, limit: 1000 });
    await store.readAdded(criteria, { by: 'TYPE', starts: [SPAN_MS], range: RANGE, spans: [[SPAN_MS, SPAN_MS + 60_000]] });
    return queries;
  };

  test.each<[string, EventCriteria]>([
    ['the whole log', {}],
    ['a flag with half of the events', { featureNames: ['busy'] }],
    ['an ordinary flag', { featureNames: ['flag-7'] }],
    ['a flag without events', { featureNames: ['missing'] }],
  ])('%s → one plan for all values from the sixth run on, without a sequential scan', async (list, criteria) => {
    const queries = await queriesOf(criteria);
    expect(queries).toHaveLength(6);
    for (const [index, query] of queries.entries()) {
      const name = `${list}, query ${index}`;
      for (let run = 0; run < RUNS; run += 1) await client.query(toDriverQuery(query, {}, name));
      const { rows } = await client.query('SELECT generic_plans FROM pg_prepared_statements WHERE name = $1', [name]);
      expect(Number(rows[0]?.generic_plans)).toBe(RUNS - CUSTOM_RUNS);
      const values = query.values.map((value) => client.escapeLiteral(String(value))).join(', ');
      const plan = await client.query({ text: `EXPLAIN EXECUTE "${name}" (${values})`, rowMode: 'array' });
      expect(plan.rows.join('\n')).toMatch(/Index.* Scan.* using/);
      // Only the groups of counts may be sorted.
      const sorts = query.text.includes('GROUP BY') ? /Sort Key: (\w+\.)?(created_at|id)\b/ : /Sort Key/;
      expect(plan.rows.join('\n')).not.toMatch(/Seq Scan on events/);
      expect(plan.rows.join('\n')).not.toMatch(sorts);
    }
  });

  test('a flag in an Unleash database, which has other indexes → planned for its name; spans of time are not prepared', async () => {
    const queries = await queriesOf({ featureNames: ['flag-7'] }, UNLEASH_EPOCH);
    expect(queries).toHaveLength(5);
    for (const { text } of queries) expect(text).toMatch(/feature_name = \$\d/);
  });
});
