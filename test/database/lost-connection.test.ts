import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { repeatAfterHandover } from '../../src/database/lost-connection.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { type ServingProcess, startServing } from '../support/run-command.js';
import { createDatabaseInFiles, isPostgres, type TestDatabase } from '../support/test-database.js';

const ONE = { text: 'SELECT 1 AS one', values: [] };
const SLOW = { text: 'SELECT pg_sleep(40)', values: [] };

(isPostgres ? describe.skip : describe)('work on the embedded database of another process', () => {
  let testDatabase: TestDatabase;
  let server: ServingProcess;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createDatabaseInFiles('empty');
    server = await startServing(testDatabase.env);
    database = await openDatabase(testDatabase.location);
  });
  afterAll(async () => {
    await database?.close();
    await server?.end('SIGKILL');
    await testDatabase.drop();
  });

  test('an error that is no lost connection → not repeated', async () => {
    let attempts = 0;
    const failing = repeatAfterHandover(database, () => {
      attempts += 1;
      return database.read({ text: 'SELECT 1 / 0', values: [] });
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(attempts).toBe(1);
  });

  test('that process is killed meanwhile → repeated, by the process that takes over', async () => {
    let attempts = 0;
    const rows = await repeatAfterHandover(database, async () => {
      attempts += 1;
      const found = await database.read(ONE);
      if (attempts === 1) await Promise.all([database.read(SLOW), server.end('SIGKILL')]);
      return found;
    });
    expect(rows).toEqual([{ one: 1 }]);
    // A connection to a process that is just ending fails, too.
    expect(attempts).toBeGreaterThan(1);
  });
});
