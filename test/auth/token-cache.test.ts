import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { StoredApiToken } from '../../src/auth/api-token.store.js';
import { createConfiguredAdmins } from '../../src/auth/configured-admins.js';
import { createCredential } from '../../src/auth/credential.js';
import { hashSecret } from '../../src/auth/secret.js';
import { createTokenCache } from '../../src/auth/token-cache.js';
import { installFakeClock, removeFakeClock } from '../support/clock.js';

const MINUTE_MS = 60_000;
const ID = hashSecret('secret');

const tokenOf = (secret: string) => createCredential('token', secret);

/** Creates a store with one token. Its functions are mocks that record their calls. */
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

beforeEach(installFakeClock);
afterEach(removeFakeClock);

describe('a token of the gateway', () => {
  test.each<[string, Partial<StoredApiToken>, object]>([
    ['for all projects', {}, { role: 'VIEWER', projects: 'all' }],
    ['with the role ADMIN', { role: 'ADMIN' }, { role: 'ADMIN', projects: 'all' }],
    ['for some projects', { projects: ['a', 'b'] }, { projects: ['a', 'b'] }],
    ['for no project', { projects: [] }, { projects: [] }],
    ['for one project and *', { projects: ['a', '*'] }, { projects: 'all' }],
    ['for all projects, on a mirror', { isOfMirror: true }, { projects: 'any project' }],
    ['with the role ADMIN, on a mirror', { isOfMirror: true, role: 'ADMIN' }, { role: 'ADMIN', projects: 'all' }],
    ['for some projects, on a mirror', { isOfMirror: true, projects: ['a'] }, { projects: ['a'] }],
  ])('%s → its caller has these rights', async (_, token, rights) => {
    const caller = { id: ID, name: 'ci', email: null, userId: null, role: 'VIEWER', expiresAt: null, ...rights };
    expect(await createTokenCache(createStore(token))(tokenOf('secret'))).toEqual(caller);
  });

  test('found → cached for 250 ms; not found → looked up each time', async () => {
    const store = createStore();
    const find = createTokenCache(store);
    await find(tokenOf('secret'));
    jest.advanceTimersByTime(249);
    await find(tokenOf('secret'));
    expect(store.find.mock.calls).toEqual([[ID]]);
    jest.advanceTimersByTime(2);
    await find(tokenOf('secret'));
    expect(store.find).toHaveBeenCalledTimes(2);

    expect(await find(tokenOf('other'))).toBeNull();
    expect(await find(tokenOf('other'))).toBeNull();
    expect(store.find).toHaveBeenCalledTimes(4);
  });

  test('stored with another hash → no caller', async () => {
    expect(await createTokenCache(createStore({ hash: hashSecret('other') }))(tokenOf('secret'))).toBeNull();
  });

  test('looked up together with 10,000 others → its caller is found', async () => {
    const store = createStore();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const find = createTokenCache({ ...store, find: async (hash) => (hash === ID ? held.then(() => store.find(hash)) : null) });
    const found = find(tokenOf('secret'));
    await Promise.all(Array.from({ length: 10_000 }, (_, n) => find(tokenOf(`other-${n}`))));
    release();
    expect(await found).toMatchObject({ name: 'ci' });
  });

  test('expires while it is cached → no caller from that moment', async () => {
    const find = createTokenCache(createStore({ expiresAt: at(100) }));
    expect(await find(tokenOf('secret'))).not.toBeNull();
    jest.advanceTimersByTime(99);
    expect(await find(tokenOf('secret'))).not.toBeNull();
    jest.advanceTimersByTime(1);
    expect(await find(tokenOf('secret'))).toBeNull();
  });

  test.each<[string, number | null, boolean]>([
    ['never used → its use is recorded', null, true],
    ['used a minute ago → its use is not recorded', -MINUTE_MS, false],
    ['used more than a minute ago → its use is recorded', -MINUTE_MS - 1, true],
  ])('%s', async (_, usedMs, isRecorded) => {
    const store = createStore({ lastUsedAt: usedMs === null ? null : at(usedMs) });
    await createTokenCache(store)(tokenOf('secret'));
    expect(store.noteUse.mock.calls).toEqual(isRecorded ? [[ID, at(0)]] : []);
  });

  test('its use cannot be recorded → its caller is found', async () => {
    const store = createStore();
    store.noteUse.mockRejectedValue(new Error('read-only'));
    expect(await createTokenCache(store)(tokenOf('secret'))).not.toBeNull();
  });
});

test('a configured admin secret → ADMIN of all projects; any other secret → no caller', async () => {
  const find = createConfiguredAdmins(['one', 'two']);
  const admin = { name: 'admin', email: null, userId: null, role: 'ADMIN', projects: 'all', expiresAt: null };
  expect(await find(tokenOf('one'))).toEqual({ id: hashSecret('one'), ...admin });
  expect(await find(tokenOf('two'))).toEqual({ id: hashSecret('two'), ...admin });
  expect(await find(tokenOf('three'))).toBeNull();
});
