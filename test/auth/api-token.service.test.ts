import { describe, expect, test } from '@jest/globals';
import { createApiTokenService } from '../../src/auth/api-token.service.js';
import type { ApiToken, NewApiToken } from '../../src/auth/api-token.store.js';
import { hashSecret, isOwnSecret } from '../../src/auth/secret.js';

const EXPIRES = new Date('2099-01-01T00:00:00Z');
const viewer = (name: string) => ({ name, role: 'VIEWER' as const, projects: 'all' as const, expiresAt: null });
const idOf = (secret: string) => hashSecret(secret).slice(0, 12);

/** Creates a service with an in-memory store that lists tokens in the order of their creation. */
function start() {
  const tokens = new Map<string, ApiToken>();
  const put = async (token: NewApiToken): Promise<void> => {
    tokens.set(token.hash, { ...token, createdAt: new Date(), lastUsedAt: null });
  };
  const service = createApiTokenService({
    create: put,
    put,
    createFirst: async (token) => {
      const isFirst = tokens.size === 0;
      if (isFirst) await put(token);
      return isFirst;
    },
    createIfNameIsFree: async (token) => {
      const isFree = [...tokens.values()].every(
        ({ name, expiresAt }) => name !== token.name || (expiresAt && expiresAt < new Date()),
      );
      if (isFree) await put(token);
      return isFree;
    },
    list: async () => [...tokens.values()],
    remove: async (hash) => void tokens.delete(hash),
  });
  return { ...service, tokens };
}

describe('API token service', () => {
  test('create → stores the hash of the returned secret, the role, the projects and the expiry', async () => {
    const { create, tokens } = start();
    const some = await create({ name: 'some', role: 'ADMIN', projects: ['a', 'b'], expiresAt: EXPIRES });
    const all = await create(viewer('all'));
    expect([some, all].every(isOwnSecret)).toBe(true);
    expect([...tokens.values()]).toMatchObject([
      { hash: hashSecret(some), name: 'some', role: 'ADMIN', projects: ['a', 'b'], expiresAt: EXPIRES },
      { hash: hashSecret(all), name: 'all', role: 'VIEWER', projects: ['*'], expiresAt: null },
    ]);
  });

  test('createUnique, called twice → BadDataError, and one token', async () => {
    const { createUnique, tokens } = start();
    const secret = await createUnique(viewer('one'));
    const message = 'A valid API token has the name one. Revoke it first (token revoke), or choose another name.';
    await expect(createUnique(viewer('one'))).rejects.toMatchObject({ name: 'BadDataError', message });
    expect([...tokens.keys()]).toEqual([hashSecret(secret)]);
  });

  test('list → each token without its secret and hash', async () => {
    const { create, list } = start();
    const some = await create({ name: 'some', role: 'ADMIN', projects: ['a'], expiresAt: EXPIRES });
    const all = await create(viewer('all'));
    const rest = { createdAt: expect.any(Date), lastUsedAt: null };
    expect(await list()).toEqual([
      { id: idOf(some), name: 'some', role: 'ADMIN', projects: ['a'], expiresAt: EXPIRES, ...rest },
      { id: idOf(all), name: 'all', role: 'VIEWER', projects: 'all', expiresAt: null, ...rest },
    ]);
  });

  test('createFirst → creates an ADMIN token only while no token exists', async () => {
    const { createFirst, list } = start();
    const secret = await createFirst();
    expect(await list()).toMatchObject([{ id: idOf(String(secret)), name: 'first-admin', role: 'ADMIN', projects: 'all' }]);
    expect(await createFirst()).toBeNull();
  });

  test('ensureAdmins, called twice → each configured ADMIN token exists once', async () => {
    const { ensureAdmins, list } = start();
    for (let n = 0; n < 2; n += 1) await ensureAdmins(['one', 'two']);
    const admin = { name: 'admin', role: 'ADMIN', projects: 'all', expiresAt: null };
    expect(await list()).toMatchObject([
      { ...admin, id: idOf('one') },
      { ...admin, id: idOf('two') },
    ]);
  });
});

describe('revoking an API token', () => {
  test.each(['name', 'id'] as const)('by its %s → removes that token and no other', async (by) => {
    const { create, revoke, list } = start();
    await create(viewer('to stay'));
    const id = idOf(await create(viewer('to revoke')));
    expect(await revoke(by === 'name' ? 'to revoke' : id)).toMatchObject({ id, name: 'to revoke' });
    expect(await list()).toMatchObject([{ name: 'to stay' }]);
  });

  test('by an id that is also the name of another token → removes the token with that id', async () => {
    const { create, revoke } = start();
    const id = idOf(await create(viewer('to revoke')));
    await create(viewer(id));
    expect(await revoke(id)).toMatchObject({ name: 'to revoke' });
  });

  test('by an unknown name → NotFoundError', async () => {
    const { create, revoke, tokens } = start();
    await create(viewer('to stay'));
    const message = expect.stringContaining('name or id other');
    await expect(revoke('other')).rejects.toMatchObject({ name: 'NotFoundError', message });
    expect(tokens.size).toBe(1);
  });

  test('by a name that a valid token and expired ones have → removes the valid one', async () => {
    const { create, revoke, tokens } = start();
    const expired = { ...viewer('again'), expiresAt: new Date('2020-01-01T00:00:00Z') };
    for (let n = 0; n < 2; n += 1) await create(expired);
    const id = idOf(await create(viewer('again')));
    expect(await revoke('again')).toMatchObject({ id });
    expect(tokens.size).toBe(2);
  });

  test('by a name that two tokens have → BadDataError, and both remain', async () => {
    const { create, revoke, tokens } = start();
    for (let n = 0; n < 2; n += 1) await create(viewer('twice'));
    const message = expect.stringMatching(/name twice.*token list/);
    await expect(revoke('twice')).rejects.toMatchObject({ name: 'BadDataError', message });
    expect(tokens.size).toBe(2);
  });
});
