import { expect, test } from '@jest/globals';
import { foldsCase } from '../../src/database/probes.js';
import { openDatabase } from '../../src/database/open.js';
import { createTestDatabase, isPostgres } from '../support/test-database.js';

test('the locale of the tests knows capitals outside of ASCII', async () => {
  const location = await createTestDatabase('nothing');
  const database = await openDatabase(location.location);
  expect(await foldsCase(database.read)).toBe(true);
  await database.close();
  await location.drop();
});

(isPostgres ? test : test.skip)('the locale C does not', async () => {
  const location = await createTestDatabase('nothing');
  const database = await openDatabase(location.location);
  const name = `locale_c_${process.pid}`;
  const url = Object.assign(new URL('url' in location.location ? location.location.url : ''), { pathname: name }).href;
  await database.prisma.$executeRawUnsafe(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE 'C' ENCODING 'UTF8'`);
  const inC = await openDatabase({ url });
  const folds = await foldsCase(inC.read);
  await inC.close();
  await database.prisma.$executeRawUnsafe(`DROP DATABASE ${name}`);
  await database.close();
  await location.drop();
  expect(folds).toBe(false);
});
