import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/open.js';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { expectSentence } from '../support/expect-sentence.js';
import { runCommand } from '../support/run-command.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('token', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('empty');
  });
  afterAll(() => database.drop());

  const token = (...args: readonly string[]) => runCommand(database.env, ['token', ...args]);
  const withPrisma = async <T>(work: (prisma: PrismaClient) => Promise<T>): Promise<T> => {
    const opened = await openDatabase(database.location);
    try {
      return await work(opened.prisma);
    } finally {
      await opened.close();
    }
  };
  const readTokens = () => withPrisma((prisma) => prisma.apiToken.findMany());

  test('create → only the secret on stdout; the database has its hash and its rights', async () => {
    const { code, stdout, stderr } = await token(
      'create',
      '--name',
      'ci of team a',
      '--role',
      'VIEWER',
      '--project',
      'a, b',
      '--expires',
      '2099-01-01T01:00:00+01:00',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\S{20,}\n$/);
    const hash = createHash('sha256').update(stdout.trim()).digest('hex');
    expect((await readTokens()).find((row) => row.hash === hash)).toMatchObject({
      name: 'ci of team a',
      role: 'VIEWER',
      projects: ['a', 'b'],
      expiresAt: new Date('2099-01-01T00:00:00Z'),
    });
  });

  test('list → each token with its rights, and no secret', async () => {
    const created = await token('create', '--name', 'listed', '--role', 'ADMIN');
    const { code, stdout, stderr } = await token('list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const hash = createHash('sha256').update(created.stdout.trim()).digest('hex');
    expect(stdout).toMatch(/^ID +ROLE +PROJECTS +EXPIRES +LAST USED +NAME\n/);
    expect(stdout).toMatch(new RegExp(`^${hash.slice(0, 12)} +ADMIN +\\* +never +never +listed$`, 'm'));
    expect(stdout).not.toContain(created.stdout.trim());
    expect(stdout).not.toContain(hash);
  });

  test('list --json → an array with every field and no secret', async () => {
    const created = await token('create', '--name', 'json', '--role', 'ADMIN');
    const limits = ['--project', 'a,b', '--expires', '2099-01-01T01:00:00+01:00'];
    await token('create', '--name', 'limited json', '--role', 'viewer', ...limits);
    const { code, stdout, stderr } = await token('list', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const hash = createHash('sha256').update(created.stdout.trim()).digest('hex');
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const listed = JSON.parse(stdout) as { name: string }[];
    expect(listed.filter(({ name }) => name.endsWith('json'))).toEqual([
      { id: hash.slice(0, 12), name: 'json', role: 'ADMIN', projects: null, createdAt, expiresAt: null, lastUsedAt: null },
      {
        id: expect.stringMatching(/^[0-9a-f]{12}$/),
        name: 'limited json',
        role: 'VIEWER',
        projects: ['a', 'b'],
        createdAt,
        expiresAt: '2099-01-01T00:00:00.000Z',
        lastUsedAt: null,
      },
    ]);
    expect(stdout).not.toContain(hash);
  });

  test.each(['viewer', 'Viewer', 'VIEWER', 'admin'])('create --role %s → that role', async (role) => {
    const name = `role ${role}`;
    expect(await token('create', '--name', name, '--role', role)).toMatchObject({ code: 0, stderr: '' });
    expect((await readTokens()).find((row) => row.name === name)?.role).toBe(role.toUpperCase());
  });

  test('create with the name of a valid token → a sentence; after it is revoked or has expired → created', async () => {
    const create = () => token('create', '--name', 'same', '--role', 'VIEWER');
    const named = async () => (await readTokens()).filter(({ name }) => name === 'same').length;
    expect((await create()).code).toBe(0);
    expectSentence(
      await create(),
      'A valid API token has the name same. Revoke it first (token revoke), or choose another name.',
    );
    expect(await named()).toBe(1);
    await token('revoke', 'same');
    expect((await create()).code).toBe(0);
    await withPrisma((prisma) => prisma.apiToken.updateMany({ where: { name: 'same' }, data: { expiresAt: new Date(0) } }));
    expect((await create()).code).toBe(0);
    expect(await named()).toBe(2);
  });

  test('revoke by name or by id → removed; an unknown name → an error', async () => {
    const { stdout: secret } = await token('create', '--name', 'by id', '--role', 'ADMIN');
    await token('create', '--name', 'by name', '--role', 'ADMIN');
    const id = createHash('sha256').update(secret.trim()).digest('hex').slice(0, 12);
    expect(await token('revoke', id)).toEqual({ code: 0, stdout: `Revoked by id (${id})\n`, stderr: '' });
    expect((await token('revoke', 'by name')).code).toBe(0);
    const names = (await readTokens()).map(({ name }) => name);
    expect(names).not.toContain('by id');
    expect(names).not.toContain('by name');

    const again = await token('revoke', 'by name');
    expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 1, stdout: '' });
    expect(again.stderr).toBe('There is no API token with the name or id by name.\n');
  });

  test('revoke by an id that is also the name of another token → removes the token with that id', async () => {
    await token('create', '--name', 'meant', '--role', 'VIEWER');
    const id = /^(\w{12}) .* meant$/m.exec((await token('list')).stdout)?.[1] ?? '';
    await token('create', '--name', id, '--role', 'ADMIN');
    expect(await token('revoke', id)).toEqual({ code: 0, stdout: `Revoked meant (${id})\n`, stderr: '' });
  });

  test('revoke by a name that two tokens have → an error, and both remain', async () => {
    await withPrisma((prisma) =>
      prisma.apiToken.createMany({
        data: ['1', '2'].map((hash) => ({ hash: hash.repeat(64), name: 'twin', role: 'VIEWER', projects: ['*'] })),
      }),
    );
    const { code, stderr } = await token('revoke', 'twin');
    expect(code).toBe(1);
    expect(stderr).toMatch(/More than one API token has the name twin/);
    expect((await readTokens()).filter(({ name }) => name === 'twin')).toHaveLength(2);
  });

  test.each<[string, string[], RegExp]>([
    ['no name', ['create', '--role', 'ADMIN'], /--name/],
    ['a blank name', ['create', '--name', ' ', '--role', 'ADMIN'], /must not be blank/],
    ['no role', ['create', '--name', 'a'], /--role/],
    ['an unknown role', ['create', '--name', 'a', '--role', 'owner'], /VIEWER, ADMIN/],
    ['no project in the list', ['create', '--name', 'a', '--role', 'VIEWER', '--project', ' , '], /at least one project/],
    ['a past expiry', ['create', '--name', 'a', '--role', 'VIEWER', '--expires', '2020-01-01T00:00:00Z'], /in the future/],
    ['a date as expiry', ['create', '--name', 'a', '--role', 'VIEWER', '--expires', '2099-01-01'], /RFC 3339/],
    ['an unknown option', ['create', '--name', 'a', '--role', 'VIEWER', '--nothing'], /unknown option/],
    ['nothing to revoke', ['revoke'], /missing required argument/],
    ['an unknown command', ['destroy'], /unknown command/],
  ])('%s → the problem on stderr, and nothing on stdout', async (_, args, rule) => {
    const { code, stdout, stderr } = await token(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(rule);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
