import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/open.js';
import { createEventStore } from '../../src/events/event.store.js';
import { createTotals } from '../../src/log-version/totals.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let place: TestDatabase;
let database: Database;
beforeAll(async () => {
  place = await createTestDatabase('empty');
  database = await openDatabase(place.location);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const execute = (text: string) => database.read({ text, values: [] });

test('a log without an epoch, whose events are deleted → exact totals', async () => {
  await execute('DELETE FROM gateway_event_log');
  await execute(`INSERT INTO events (type, created_by) SELECT 'feature-created', 'x' FROM generate_series(1, 200)`);
  const totals = createTotals(createEventStore(database.read), 0);
  for (const count of [200, 200, 200]) expect((await totals.count({})).count).toBe(count);

  await execute('DELETE FROM events WHERE id <= 100');
  for (const count of [100, 100]) expect((await totals.count({})).count).toBe(count);
});
