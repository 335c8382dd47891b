import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type Database, openDatabase } from '../../src/database/open.js';
import { type CreateLimiter, createProcessLimiters, createSharedLimiters } from '../../src/limits/limiter.store.js';
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

const LIMIT = { name: 'wrong', points: 3, seconds: 60 };

const rejection = (result: unknown) => {
  if (!(result instanceof RateLimiterRes)) throw result;
  return result;
};

describe.each<[string, () => CreateLimiter]>([
  ['in the database', () => createSharedLimiters({ kind: 'PostgreSQL', read: database.read })],
  ['in the process', () => createProcessLimiters],
])('points counted %s', (_, start) => {
  test('beyond the limit → rejected, and still counted', async () => {
    const limiter = start()(LIMIT);
    expect(await limiter.consume('a', 2)).toMatchObject({ consumedPoints: 2, remainingPoints: 1 });
    expect(await limiter.consume('a', 2).catch(rejection)).toMatchObject({ consumedPoints: 4, remainingPoints: 0 });
    const { msBeforeNext } = await limiter.consume('a').catch(rejection);
    expect(msBeforeNext).toBeGreaterThan(50_000);
    expect(msBeforeNext).toBeLessThanOrEqual(60_000);
  });

  test('another key, or another limiter → counted separately', async () => {
    const createLimiter = start();
    const limiter = createLimiter({ ...LIMIT, name: 'one' });
    await limiter.consume('a', 3);
    expect(await limiter.consume('b')).toMatchObject({ consumedPoints: 1 });
    expect(await createLimiter({ ...LIMIT, name: 'another' }).consume('a')).toMatchObject({ consumedPoints: 1 });
  });
});

test('two gateways on one database → counted together', async () => {
  const [one, another] = [1, 2].map(() => createSharedLimiters({ kind: 'PostgreSQL', read: database.read })(LIMIT));
  await one?.consume('shared', 2);
  expect(await another?.consume('shared')).toMatchObject({ consumedPoints: 3 });
});

test('the embedded database, which only one gateway uses → counted in the process', async () => {
  const read = () => Promise.reject(new Error('unexpected read'));
  const limiter = createSharedLimiters({ kind: 'embedded', read })(LIMIT);
  expect(await limiter.consume('a')).toMatchObject({ consumedPoints: 1 });
});
