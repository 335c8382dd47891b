import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/open.js';
import type { AddedCell } from '../../src/event-counts/count-table.js';
import { createEventStore } from '../../src/events/event.store.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('empty');
  database = await openDatabase(testDatabase.location);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const HOUR_MS = 3_600_000;
const FIRST_MS = Date.parse('2024-03-01T00:00:00Z');
const STARTS = Array.from({ length: 24 }, (_, hour) => FIRST_MS + hour * HOUR_MS);

test('added events of a short and of a long range → the same numbers by group, age and bucket', async () => {
  await database.read({
    text: `
      INSERT INTO events (type, created_by, created_at)
      SELECT CASE WHEN n % 3 = 0 THEN 'feature-created' ELSE 'feature-updated' END, 'x',
        CASE n WHEN 60 THEN '-infinity' WHEN 61 THEN 'infinity'
          WHEN 62 THEN '2024-03-01 05:00Z' WHEN 63 THEN '2024-03-01 04:59:59.999999Z' WHEN 92 THEN '2038-03-01 00:00:00.002Z'
          ELSE '2024-02-29 22:00Z'::timestamptz + n * interval '17 minutes' END
      FROM generate_series(1, 120) AS n`,
    values: [],
  });
  const store = createEventStore(database.read);
  const read = async (isShort: boolean) => {
    const range = { after: 40, upTo: 90, isShort };
    const spans = [[FIRST_MS, FIRST_MS + HOUR_MS] as const];
    const { cells } = await store.readAdded({}, { by: 'TYPE', starts: STARTS, range, spans });
    return sum(cells);
  };
  const numbers = await read(true);
  expect(await read(false)).toEqual(numbers);
  const count = (pattern: RegExp) => [...numbers].reduce((all, [cell, n]) => all + (pattern.test(cell) ? n : 0), 0);
  expect([count(/ settled /), count(/ new /), count(/ old /)]).toEqual([50, 30, 3]);
  expect([count(/ settled 0$/), count(/ settled 24$/)]).toEqual([1, 3]);
});

/** Adds up cells by group, age and bucket. The bucket 0 is before all starts. */
function sum(cells: readonly AddedCell[]): Map<string, number> {
  const numbers = new Map<string, number>();
  const bucketOf = (time: number) => STARTS.filter((start) => start <= time).length;
  for (const { key, age, first, last, count } of cells) {
    expect(bucketOf(last)).toBe(bucketOf(first));
    const cell = `${key} ${age} ${bucketOf(first)}`;
    numbers.set(cell, (numbers.get(cell) ?? 0) + count);
  }
  return new Map([...numbers].sort());
}
