import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/open.js';
import { runCommand } from '../support/run-command.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('token', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('empty');
  });
  afterAll(() => database.drop());

  const token = (...args: readonly string[]) => runCommand(database.env, ['token', ...args]);
  const readTokens = async () => {
    const opened = await openDatabase(database.location);
    const tokens = await opened.prisma.apiToken.findMany();
    await opened.close();
    return tokens;
  };

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
    await token('create', '--name', 'twin', '--role', 'VIEWER');
    await token('create', '--name', 'twin', '--role', 'ADMIN');
    const { code, stderr } = await token('revoke', 'twin');
    expect(code).toBe(1);
    expect(stderr).toMatch(/More than one API token has the name twin/);
    expect((await readTokens()).filter(({ name }) => name === 'twin')).toHaveLength(2);
  });

  test.each<[string, string[], RegExp]>([
    ['no name', ['create', '--role', 'ADMIN'], /--name/],
    ['a blank name', ['create', '--name', ' ', '--role', 'ADMIN'], /must not be blank/],
    ['no role', ['create', '--name', 'a'], /--role/],
    ['an unknown role', ['create', '--name', 'a', '--role', 'admin'], /VIEWER, ADMIN/],
    ['no project in the list', ['create', '--name', 'a', '--role', 'VIEWER', '--project', ' , '], /at least one project/],
    ['a past expiry', ['create', '--name', 'a', '--role', 'VIEWER', '--expires', '2020-01-01T00:00:00Z'], /in the future/],
    ['a date as expiry', ['create', '--name', 'a', '--role', 'VIEWER', '--expires', '2099-01-01'], /RFC 3339/],
    ['an unknown option', ['create', '--name', 'a', '--role', 'VIEWER', '--nothing'], /unknown option/],
    ['nothing to revoke', ['revoke'], /missing required argument/],
    ['an unknown command', ['destroy'], /unknown command/],
  ])('%s → the problem on stderr, and nothing on stdout', async (_, args, rule) => {
    const { code, stdout, stderr } = await token(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(rule);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
