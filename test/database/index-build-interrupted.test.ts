import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { parseConfig } from '../../src/config.js';
import { EVENT_INDEXES, readIndexes } from '../../src/database/indexes/event-indexes.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { startGateway } from '../../src/gateway.js';
import { createTestDatabase, isPostgres, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

/** An index that a gateway builds at its start. */
const { name: INDEX } = EVENT_INDEXES[0] ?? { name: '' };

const BUILDING = `datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'`;

(isPostgres ? describe : describe.skip)('a build of the indexes that loses its connection', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('log');
    database = await openDatabase(testDatabase.location);
  });
  afterAll(async () => {
    await gateway?.stop();
    await database.close();
    await testDatabase.drop();
  });

  test('→ the gateway builds them later, without a restart', async () => {
    const holder = new pg.Client({ connectionString: testDatabase.env['DATABASE_URL'] });
    await holder.connect();
    // The holder's transaction would see the activity at its start only, so another connection counts.
    const count = async (text: string) => (await database.read({ text, values: [] })).length;
    await holder.query(`DROP INDEX ${INDEX}`);
    // The lock keeps the build waiting, but no read.
    await holder.query('BEGIN; LOCK TABLE events IN SHARE UPDATE EXCLUSIVE MODE');
    gateway = await startGateway(parseConfig({ ...testDatabase.env, PORT: '0', LOG_LEVEL: 'silent', GRAPHIQL: 'false' }));
    await waitUntil('the build waits', async () => (await count(`SELECT FROM pg_stat_activity WHERE ${BUILDING}`)) === 1);
    expect(await count(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${BUILDING}`)).toBe(1);
    await holder.query('COMMIT');
    await holder.end();
    await waitUntil('the index is there', async () =>
      (await readIndexes(database.read)).some(({ name, valid }) => name === INDEX && valid),
    );
  }, 60_000);
});
