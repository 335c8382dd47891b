import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/open.js';
import { GATEWAY_EPOCH, type LogState } from '../../src/log-version/epoch.store.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let place: TestDatabase;
let database: Database;
beforeAll(async () => {
  place = await createTestDatabase('empty');
  database = await openDatabase(place.location);
  await execute(`INSERT INTO events (id, type, created_by) VALUES (100, 'feature-created', 'x')`);
  await publish();
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const execute = (text: string) => database.read<Record<string, number>>({ text, values: [] });
const publish = () => execute('SELECT gateway_settle_events(100)::text');
const addLateEvents = (...ids: number[]) =>
  execute(`INSERT INTO events (id, type, created_by) VALUES ${ids.map((id) => `(${id}, 'feature-created', 'x')`).join()}`);
const listLate = async () =>
  (await execute('SELECT event_id AS id FROM gateway_late_event ORDER BY position')).map(({ id }) => id);
/** Sets the sequence back, as a crash of a copied database does. */
const setBack = () => execute(`SELECT setval('gateway_late_event_position_seq', 1, false)::int`);

test('a sequence that was set back, and a statement that adds late events → they come after the earlier ones', async () => {
  await addLateEvents(7, 8, 9);
  await setBack();
  await addLateEvents(3, 4);
  expect(await listLate()).toEqual([7, 8, 9, 3, 4]);
});

test('the same with a trigger for each row, as a partitioned table has it → the same order', async () => {
  await execute('DROP TRIGGER gateway_events_added ON events');
  await execute(`
    CREATE TRIGGER gateway_event_added AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION gateway_event_added()`);
  await setBack();
  await addLateEvents(1, 2);
  expect(await listLate()).toEqual([7, 8, 9, 3, 4, 1, 2]);
});

test('a crash that sets the sequence back → the next publication reports the last position again', async () => {
  await addLateEvents(50);
  const [last] = await execute('SELECT max(position)::float8 AS late FROM gateway_late_event');
  await execute('DELETE FROM gateway_server_run');
  await setBack();
  const [published] = await database.read<LogState>(GATEWAY_EPOCH.publish(100));
  expect(published).toMatchObject({ late: last?.['late'] });
});

test('a publication in the same run → it leaves the sequence as it is', async () => {
  await setBack();
  await publish();
  expect(await execute('SELECT is_called FROM gateway_late_event_position_seq')).toEqual([{ is_called: false }]);
});
