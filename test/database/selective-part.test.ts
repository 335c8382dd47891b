import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/open.js';
import { createEventStore } from '../../src/events/event.store.js';
import { readTextSample } from '../../src/text-search/text-sample.store.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Inserts so many events that a sample of 200 misses most of them. */
const FILL = `
  INSERT INTO events (type, created_by, data, pre_data)
  SELECT 'feature-updated', 'x', data::json, data::jsonb FROM (
    SELECT format('{"name" : "flexibleRollout", "groupId" : "group-%s"}', n) AS data FROM generate_series(1, 4000) AS n
  ) AS texts`;

describe('a literal that is looked up by its selective part', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('empty');
    database = await openDatabase(testDatabase.location);
    await database.read({ text: FILL, values: [] });
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  test.each<[string, number]>([
    ['"name" : "flexibleRollout", "groupId" : "group-1234"', 1],
    ['"NAME" : "FLEXIBLEROLLOUT", "GROUPID" : "GROUP-1234"', 1],
    ['"flexibleRollout", "groupId" : "group-123', 11],
    ['"name" : "otherRollout", "groupId" : "group-1234"', 0],
    ['"groupId" : "group-1234%', 0],
    ['"groupId" : "group-1234\\', 0],
    ['"groupId" : "group_1234', 0],
  ])('%s → %i events', async (literal, count) => {
    const texts: string[] = [];
    const store = createEventStore(async <Row extends object>(query: { text: string; values: readonly unknown[] }) => {
      texts.push(query.text);
      return database.read<Row>(query);
    });
    const criteria = { text: { literal, in: ['data', 'preData'] } } as const;
    const { events } = await store.list(criteria, { offset: 0, limit: 50 });
    const counted = await store.countUpTo(criteria, 10_000);
    expect([events.length, counted?.count]).toEqual([count, count]);
    const eventQueries = texts.filter((text) => text.includes('FROM events'));
    expect(eventQueries.slice(1)).toEqual([expect.stringContaining(`|| '' ILIKE`), expect.stringContaining(`|| '' ILIKE`)]);
  });

  // Runs last: its two extreme ids would leave the samples of the other tests almost empty.
  test('events with the lowest and the highest possible id → the sample has both', async () => {
    const text = `
      INSERT INTO events (id, type, created_by, data)
      VALUES (-2147483648, 'feature-updated', 'x', '"lowest"'), (2147483647, 'feature-updated', 'x', '"highest"')`;
    await database.read({ text, values: [] });
    const { data } = await readTextSample(database.read);
    expect(data).toEqual(expect.arrayContaining(['"lowest"', '"highest"']));
  });
});
