import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { StoredApiToken } from '../../src/auth/api-token.store.js';
import { createConfiguredAdmins, createOwnTokens } from '../../src/auth/own-tokens.js';
import { hashSecret } from '../../src/auth/secret.js';
import { startClock, stopClock } from '../support/clock.js';

const MINUTE_MS = 60_000;
const ID = hashSecret('secret');

/** A store with one token, which remembers what it was asked. */
function createStore(token: Partial<StoredApiToken> = {}) {
  const stored: StoredApiToken = {
    hash: ID,
    name: 'ci',
    role: 'VIEWER',
    projects: ['*'],
    expiresAt: null,
    lastUsedAt: null,
    isOfMirror: false,
    ...token,
  };
  return {
    find: jest.fn(async (hash: string): Promise<StoredApiToken | null> => (hash === ID ? stored : null)),
    noteUse: jest.fn(async (_hash: string, _at: Date): Promise<void> => undefined),
  };
}

const at = (ms: number) => new Date(Date.now() + ms);

beforeEach(startClock);
afterEach(stopClock);

describe('by a token of the gateway', () => {
  test.each<[string, Partial<StoredApiToken>, object]>([
    ['of all projects', {}, { role: 'VIEWER', projects: 'all' }],
    ['of an administrator', { role: 'ADMIN' }, { role: 'ADMIN', projects: 'all' }],
    ['of some projects', { projects: ['a', 'b'] }, { projects: ['a', 'b'] }],
    ['of no project', { projects: [] }, { projects: [] }],
    ['of one project and all', { projects: ['a', '*'] }, { projects: 'all' }],
    ['of all projects, beside a mirror', { isOfMirror: true }, { projects: 'any project' }],
    ['of an administrator, beside a mirror', { isOfMirror: true, role: 'ADMIN' }, { role: 'ADMIN', projects: 'all' }],
    ['of some projects, beside a mirror', { isOfMirror: true, projects: ['a'] }, { projects: ['a'] }],
  ])('%s', async (_, token, rights) => {
    const caller = { id: ID, name: 'ci', email: null, userId: null, role: 'VIEWER', ...rights };
    expect(await createOwnTokens(createStore(token))('secret')).toEqual(caller);
  });

  test('a token is not looked up again for a quarter of a second, one that is not found each time', async () => {
    const store = createStore();
    const find = createOwnTokens(store);
    await find('secret');
    jest.advanceTimersByTime(249);
    await find('secret');
    expect(store.find.mock.calls).toEqual([[ID]]);
    jest.advanceTimersByTime(2);
    await find('secret');
    expect(store.find).toHaveBeenCalledTimes(2);

    expect(await find('other')).toBeNull();
    expect(await find('other')).toBeNull();
    expect(store.find).toHaveBeenCalledTimes(4);
  });

  test('what the store found by another hash is nobody’s', async () => {
    expect(await createOwnTokens(createStore({ hash: hashSecret('other') }))('secret')).toBeNull();
  });

  test('is let in however many others are looked up meanwhile', async () => {
    const store = createStore();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const find = createOwnTokens({ ...store, find: async (hash) => (hash === ID ? held.then(() => store.find(hash)) : null) });
    const found = find('secret');
    await Promise.all(Array.from({ length: 10_000 }, (_, n) => find(`guess-${n}`)));
    release();
    expect(await found).toMatchObject({ name: 'ci' });
  });

  test('ends at the moment it expires, also while it is not looked up again', async () => {
    const find = createOwnTokens(createStore({ expiresAt: at(100) }));
    expect(await find('secret')).not.toBeNull();
    jest.advanceTimersByTime(99);
    expect(await find('secret')).not.toBeNull();
    jest.advanceTimersByTime(1);
    expect(await find('secret')).toBeNull();
  });

  test.each<[string, number | null, boolean]>([
    ['never used before', null, true],
    ['used a minute ago', -MINUTE_MS, false],
    ['used longer ago', -MINUTE_MS - 1, true],
  ])('%s: its use is noted, or not', async (_, usedMs, isNoted) => {
    const store = createStore({ lastUsedAt: usedMs === null ? null : at(usedMs) });
    await createOwnTokens(store)('secret');
    expect(store.noteUse.mock.calls).toEqual(isNoted ? [[ID, at(0)]] : []);
  });

  test('is let in where its use cannot be noted', async () => {
    const store = createStore();
    store.noteUse.mockRejectedValue(new Error('read-only'));
    expect(await createOwnTokens(store)('secret')).not.toBeNull();
  });
});

test('the secrets that the configuration names are administrators of all projects, and no others', async () => {
  const find = createConfiguredAdmins(['one', 'two']);
  const admin = { name: 'admin', email: null, userId: null, role: 'ADMIN', projects: 'all' };
  expect(await find('one')).toEqual({ id: hashSecret('one'), ...admin });
  expect(await find('two')).toEqual({ id: hashSecret('two'), ...admin });
  expect(await find('three')).toBeNull();
});
