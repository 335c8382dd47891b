import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/open.js';
import { foldsCase } from '../../src/database/probes.js';
import { createTestDatabase, isPostgres } from '../support/test-database.js';

test('the locale of the test databases → folds the case of letters outside ASCII', async () => {
  const testDatabase = await createTestDatabase('nothing');
  const database = await openDatabase(testDatabase.location);
  expect(await foldsCase(database.read)).toBe(true);
  await database.close();
  await testDatabase.drop();
});

(isPostgres ? test : test.skip)('the locale C → folds the case of ASCII letters only', async () => {
  const testDatabase = await createTestDatabase('nothing');
  const database = await openDatabase(testDatabase.location);
  const name = `locale_c_${process.pid}`;
  const url = Object.assign(new URL('url' in testDatabase.location ? testDatabase.location.url : ''), { pathname: name }).href;
  await database.prisma.$executeRawUnsafe(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE 'C' ENCODING 'UTF8'`);
  const inC = await openDatabase({ url });
  const folds = await foldsCase(inC.read);
  await inC.close();
  await database.prisma.$executeRawUnsafe(`DROP DATABASE ${name}`);
  await database.close();
  await testDatabase.drop();
  expect(folds).toBe(false);
});
