import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildEventIndexes, dropEventIndexes } from '../../src/database/indexes/build-indexes.js';
import { EVENT_INDEXES, readIndexes } from '../../src/database/indexes/event-indexes.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { createImportStore } from '../../src/log-copy/import.store.js';
import { importEvents } from '../../src/log-copy/import-events.js';
import { eventLine } from '../support/event-line.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';

const LINES = Array.from({ length: 2500 }, (_, index) => `${eventLine(index + 1)}\n`);

describe('indexes of the log', () => {
  let testDatabase: TestDatabase;
  let importing: Database;
  let serving: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('empty');
    importing = await openDatabase(testDatabase.location);
    serving = isPostgres ? await openDatabase(testDatabase.location) : importing;
  });
  afterAll(async () => {
    await importing.close();
    if (serving !== importing) await serving.close();
    await testDatabase.drop();
  });

  const listValid = async () => {
    const valid = (await readIndexes(serving.read)).filter((index) => index.valid);
    return valid.map(({ name, definition }) => `${name} ${definition}`).sort();
  };

  test('the list in the code → what the migrations build, apart from the primary key', async () => {
    const listed = EVENT_INDEXES.map(({ name, definition }) => `${name} ${definition}`);
    expect(await listValid()).toEqual([...listed, 'events_pkey btree (id)'].sort());
  });

  test('dropped and built again → as the migrations created them', async () => {
    const before = await listValid();
    await dropEventIndexes(serving);
    expect(await listValid()).toHaveLength(before.length - EVENT_INDEXES.length);
    await buildEventIndexes(serving);
    expect(await listValid()).toEqual(before);
  });

  (isPostgres ? test : test.skip)(
    'a gateway starts during the first import → the indexes are built after the import',
    async () => {
      const before = await listValid();
      await dropEventIndexes(importing);
      const isBuilding = async () => {
        const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'`;
        return (await serving.read({ text, values: [] })).length > 0;
      };
      let building = Promise.resolve();
      async function* file() {
        yield Buffer.from(LINES.slice(0, 2000).join(''));
        building = buildEventIndexes(serving);
        while (!(await isBuilding())) await new Promise((resolve) => setTimeout(resolve, 10));
        yield Buffer.from(LINES.slice(2000).join(''));
      }
      const result = await importEvents(createImportStore(importing), file(), () => undefined);
      expect(result).toMatchObject({ read: LINES.length, added: LINES.length });
      await buildEventIndexes(importing);
      await building;
      expect(await listValid()).toEqual(before);
      const [next] = await serving.read<{ id: number }>({
        text: `INSERT INTO events (type, created_by) VALUES ('feature-created', 'x') RETURNING id`,
        values: [],
      });
      expect(next?.id).toBe(LINES.length + 1);
    },
  );
});
