import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Prisma } from '../../src/generated/prisma/client.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const TOKENS = '/api/admin/invite-link/tokens';
const [VIEWER, ADMIN] = [3, 1];

describe('2.5 Users who signed up with a token', () => {
  let gateway: TestGateway;
  let secret: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    secret = (await gateway.postJson(TOKENS, { name: 'Invite', expiresAt: '2099-01-01T00:00:00Z' })).body.secret;
    await signUp({
      id: 30,
      name: 'Full',
      username: 'full',
      email: 'full@example.com',
      imageUrl: 'https://example.com/full.png',
      loginAttempts: 2,
      createdAt: '2024-01-01T00:00:00Z',
      seenAt: '2024-02-01T10:00:00+02:00',
      permissions: ['CREATE_PROJECT'],
      scimId: 'scim-30',
      roles: { create: [{ roleId: VIEWER }] },
    });
    await signUp({ id: 10, createdAt: '2024-03-01T00:00:00Z' });
    await signUp({
      id: 20,
      isService: true,
      permissions: { not: 'a list' },
      createdAt: '2024-03-01T00:00:00Z',
      roles: { create: [{ roleId: ADMIN }] },
    });
    await signUp({ id: 40, deletedAt: '2024-04-01T00:00:00Z' });
  });
  afterAll(() => gateway.stop());

  const signUp = (data: Prisma.UserUncheckedCreateInput) =>
    gateway.prisma.user.create({ data: { ...data, signups: { create: { secret } } } });
  const readUsers = async () => (await gateway.send(`${TOKENS}/${secret}`)).body.users;

  test('several users → ordered by id, without deleted ones', async () => {
    expect((await readUsers()).map(({ id }: { id: number }) => id)).toEqual([10, 20, 30]);
  });

  test('a user with a value in every field → all values', async () => {
    expect((await readUsers())[2]).toEqual({
      id: 30,
      name: 'Full',
      username: 'full',
      email: 'full@example.com',
      imageUrl: 'https://example.com/full.png',
      loginAttempts: 2,
      rootRole: VIEWER,
      createdAt: '2024-01-01T00:00:00.000Z',
      seenAt: '2024-02-01T08:00:00.000Z',
      accountType: 'User',
      permissions: ['CREATE_PROJECT'],
      scimId: 'scim-30',
    });
  });

  test('a user with only an id → null only where the spec allows it', async () => {
    const [bare] = await readUsers();
    const nullNames = Object.entries(bare).flatMap(([name, value]) => (value === null ? name : []));
    expect(nullNames.sort()).toEqual(['name', 'scimId', 'seenAt', 'username']);
    expect(bare).not.toHaveProperty('email');
    expect(bare).not.toHaveProperty('imageUrl');
    expect(bare).not.toHaveProperty('rootRole');
    expect(bare).toMatchObject({ id: 10, loginAttempts: 0, accountType: 'User', permissions: [] });
  });

  test('a service account → its account type; permissions that are not a list → an empty list', async () => {
    expect((await readUsers())[1]).toMatchObject({ id: 20, accountType: 'Service Account', permissions: [], rootRole: ADMIN });
  });

  test('the role → without null fields', async () => {
    await gateway.prisma.role.update({ where: { id: VIEWER }, data: { description: 'Reads all' } });
    const { body } = await gateway.send(`${TOKENS}/${secret}`);
    await gateway.prisma.role.update({ where: { id: VIEWER }, data: { description: null } });
    expect(body.role).toEqual({ id: VIEWER, type: 'root', name: 'Viewer', description: 'Reads all' });
    expect((await gateway.send(`${TOKENS}/${secret}`)).body.role).toEqual({ id: VIEWER, type: 'root', name: 'Viewer' });
  });

  test('a token of another program, without url and creator → null, as the spec allows', async () => {
    const other = 'feedfacefeedfacefeedfacefeedface';
    await gateway.prisma.publicSignupToken.create({
      data: { secret: other, name: 'other', expiresAt: '2099-01-01T00:00:00Z', roleId: VIEWER },
    });
    const { status, body } = await gateway.send(`${TOKENS}/${other}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ secret: other, url: null, createdBy: null, users: [] });
  });
});

describe('2.4 Times outside of the years 0001 to 9999', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  test.each([
    ['0001-01-01 00:00Z BC', '0000-01-01T00:00:00.000Z', false],
    ['0044-03-15 00:00Z BC', '-000043-03-15T00:00:00.000Z', false],
    ['-infinity', '-271821-04-20T00:00:00.000Z', false],
    ['20000-02-29 12:34:56.789Z', '+020000-02-29T12:34:56.789Z', true],
    ['infinity', '+275760-09-13T00:00:00.000Z', true],
  ])('a token and its user with the time %s → %s', async (stored, wire, enabled) => {
    const { secret } = (await gateway.postJson(TOKENS, { name: 'Odd', expiresAt: '2099-01-01T00:00:00Z' })).body;
    const { id } = await gateway.prisma.user.create({ data: { signups: { create: { secret } } } });
    await gateway.prisma
      .$executeRaw`UPDATE public_signup_tokens SET expires_at = ${stored}::text::timestamptz, created_at = '2026-01-01 00:00:00.123999Z' WHERE secret = ${secret}`;
    await gateway.prisma.$executeRaw`UPDATE users SET seen_at = ${stored}::text::timestamptz WHERE id = ${id}`;
    const { status, body } = await gateway.send(`${TOKENS}/${secret}`);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        expiresAt: wire,
        enabled,
        createdAt: '2026-01-01T00:00:00.123Z',
        users: [expect.objectContaining({ id, seenAt: wire, createdAt: expect.stringMatching(/^20\d\d-/) })],
      }),
    ]);
  });
});
