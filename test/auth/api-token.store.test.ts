import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiTokenStore, createApiTokenStore, type NewApiToken } from '../../src/auth/api-token.store.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let testDatabase: TestDatabase;
let database: Database;
let store: ApiTokenStore;
beforeAll(async () => {
  testDatabase = await createTestDatabase('empty');
  database = await openDatabase(testDatabase.location);
  store = createApiTokenStore(database);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  await database.prisma.apiToken.deleteMany();
});

const LATER = new Date('2099-01-01T00:00:00Z');
const viewer = (hash: string): NewApiToken => ({
  hash,
  name: `name of ${hash}`,
  role: 'VIEWER',
  projects: ['*'],
  expiresAt: null,
});
const admin: NewApiToken = { hash: 'a', name: 'admin', role: 'ADMIN', projects: ['p', 'q'], expiresAt: LATER };
const hashes = async () => (await store.list()).map(({ hash }) => hash);

describe('API tokens in the database', () => {
  test('find by hash → the role, projects and expiry; an unknown hash → null', async () => {
    await store.create(admin);
    expect(await store.find('a')).toEqual({ ...admin, lastUsedAt: null, isOfMirror: false });
    expect(await store.find('b')).toBeNull();
  });

  test('three lookups at once → one read; after a removal → not found', async () => {
    await store.create(admin);
    let reads = 0;
    const counted = createApiTokenStore({
      prisma: database.prisma,
      read: (...query) => {
        reads += 1;
        return database.read(...query);
      },
    });
    const find = async () => (await Promise.all(['a', 'b', 'a'].map(counted.find))).map((token) => token?.name);
    expect(await find()).toEqual(['admin', undefined, 'admin']);
    expect(reads).toBe(1);
    await store.remove('a');
    expect(await find()).toEqual([undefined, undefined, undefined]);
  });

  test('a mirrored log → isOfMirror is true', async () => {
    await store.create(admin);
    await database.prisma.$executeRaw`INSERT INTO gateway_mirror (source) VALUES ('http://localhost')`;
    expect(await store.find('a')).toMatchObject({ isOfMirror: true });
    await database.prisma.$executeRaw`DELETE FROM gateway_mirror`;
  });

  test('list → in the order of creation; created at the same time → by hash', async () => {
    for (const hash of ['c', 'b', 'a']) await store.create(viewer(hash));
    expect(await hashes()).toEqual(['c', 'b', 'a']);
    await database.prisma.apiToken.updateMany({ data: { createdAt: LATER } });
    expect(await hashes()).toEqual(['a', 'b', 'c']);
  });

  test('put → creates the token or replaces its rights, and leaves others unchanged', async () => {
    for (const before of [viewer('a'), viewer('b')]) await store.create(before);
    for (let n = 0; n < 2; n += 1) await store.put(admin);
    expect(await store.find('a')).toMatchObject(admin);
    expect(await store.find('b')).toMatchObject(viewer('b'));
    await store.put(viewer('c'));
    expect(await store.find('c')).toMatchObject(viewer('c'));
  });

  test('createFirst → creates a token only while none exists', async () => {
    expect(await store.createFirst(viewer('first'))).toBe(true);
    expect(await store.createFirst(viewer('second'))).toBe(false);
    expect(await hashes()).toEqual(['first']);
  });

  test('createIfNameIsFree → creates no token while a valid one has the name, also not at once', async () => {
    const named = (hash: string, expiresAt: Date | null): NewApiToken => ({ ...viewer(hash), name: 'same', expiresAt });
    await store.create(named('expired', new Date('2020-01-01T00:00:00Z')));
    const created = await Promise.all(['a', 'b', 'c'].map((hash) => store.createIfNameIsFree(named(hash, LATER))));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await store.createIfNameIsFree(named('d', null))).toBe(false);
    expect(await store.createIfNameIsFree(viewer('other'))).toBe(true);
    expect(await hashes()).toHaveLength(3);
  });

  test('noteUse and remove → change only the token with that hash', async () => {
    for (const hash of ['a', 'b']) await store.create(viewer(hash));
    await store.noteUse('a', LATER);
    expect(await store.find('a')).toMatchObject({ lastUsedAt: LATER });
    expect(await store.find('b')).toMatchObject({ lastUsedAt: null });
    await store.remove('a');
    expect(await hashes()).toEqual(['b']);
  });
});
