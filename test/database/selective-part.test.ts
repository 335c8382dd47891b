import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/open.js';
import { createEventStore } from '../../src/events/event.store.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Most of them are not in a sample of two hundred. */
const FILL = `
  INSERT INTO events (type, created_by, data, pre_data)
  SELECT 'feature-updated', 'x', data::json, data::jsonb FROM (
    SELECT format('{"name" : "flexibleRollout", "groupId" : "group-%s"}', n) AS data FROM generate_series(1, 4000) AS n
  ) AS texts`;

describe('a literal that is looked up by its rare part', () => {
  let location: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    location = await createTestDatabase('empty');
    database = await openDatabase(location.location);
    await database.read({ text: FILL, values: [] });
  });
  afterAll(async () => {
    await database.close();
    await location.drop();
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
    const events = await store.listPage(criteria, { offset: 0, limit: 50 });
    const counted = await store.countUpTo(criteria, 10_000);
    expect([events.length, counted?.count]).toEqual([count, count]);
    const ofEvents = texts.filter((text) => text.includes('FROM events'));
    expect(ofEvents.slice(1)).toEqual([expect.stringContaining(`|| '' ILIKE`), expect.stringContaining(`|| '' ILIKE`)]);
  });
});
