import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/open.js';
import { expectSentence } from '../support/expect-sentence.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { createDatabaseInFiles, isPostgres, type TestDatabase } from '../support/test-database.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const isRoot = process.getuid?.() === 0;

/** Runs a command in a process that has no more rights on files than their mode gives it, even for root. */
async function runWithoutPrivileges(dataDir: string): Promise<CommandResult> {
  const node = [process.execPath, 'dist/main.js', 'token', 'list'];
  const [program = '', ...args] = isRoot ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', '--', ...node] : node;
  const child = spawn(program, args, { cwd: ROOT, env: { PATH: process.env.PATH, DATA_DIR: dataDir }, timeout: 50_000 });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

(isPostgres ? describe.skip : describe)('DATA_DIR', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-data-dir-'));
  });
  afterEach(async () => {
    await chmod(folder, 0o700);
    await rm(folder, { recursive: true });
  });

  const expectUnusable = async (dataDir: string, reason: string, run = list) =>
    expectSentence(await run(dataDir), `DATA_DIR ${dataDir} cannot be used: ${reason}.`);
  const list = (dataDir: string) => runCommand({ DATA_DIR: dataDir }, ['token', 'list']);

  test('a folder with missing parents → created, for this user only', async () => {
    const dataDir = path.join(folder, 'a', 'b');
    expect(await list(dataDir)).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(dataDir)).toContain('pgdata');
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  const OTHER = 'Set DATA_DIR to a folder that the gateway can write';
  test('a file in the way → a sentence', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    for (const dataDir of [file, path.join(file, 'x'), path.join(file, 'x', 'y')])
      await expectUnusable(dataDir, `a part of this path is a file. ${OTHER}`);
  });

  test('a name that is too long for the system, or a path that is too long for the lock → a sentence', async () => {
    await expectUnusable(path.join(folder, 'x'.repeat(300)), 'the path is too long. Set DATA_DIR to a shorter path');
    const rule =
      /^DATA_DIR \S+ cannot be used: the path is \d+ bytes too long for the socket in it\. Set DATA_DIR to a shorter path\.$/m;
    expectSentence(await list(path.join(folder, 'x'.repeat(100))), rule);
  });

  (process.platform === 'linux' ? test : test.skip).each(['/proc/x', '/proc/x/y', '/dev/null/x', '/sys/x'])(
    '%s → a sentence, and no hang',
    async (dataDir) => {
      const rule = new RegExp(`^DATA_DIR ${dataDir} cannot be used: [^.]+\\. [^.]+ DATA_DIR to [^.]+\\.$`, 'm');
      expectSentence(await list(dataDir), rule);
    },
  );

  const canDropPrivileges = !isRoot || spawnSync('setpriv', ['--version']).status === 0;
  (canDropPrivileges ? test : test.skip)('a folder that the user may not write → a sentence', async () => {
    const reason = 'the user of the gateway may not write there. Give it that right, or set DATA_DIR to another folder';
    const inner = path.join(folder, 'inner');
    await mkdir(inner, 0o500);
    await chmod(folder, 0o500);
    for (const dataDir of [inner, path.join(folder, 'new')]) await expectUnusable(dataDir, reason, runWithoutPrivileges);
  });

  describe('with a database', () => {
    let template: TestDatabase;
    let tableFile: string;
    beforeAll(async () => {
      template = await createDatabaseInFiles('empty');
      const database = await openDatabase(template.location);
      const [row] = await database.read<{ file: string }>({
        text: `SELECT pg_relation_filepath('gateway_api_token') AS file`,
        values: [],
      });
      await database.close();
      tableFile = row?.file ?? '';
    });
    afterAll(() => template.drop());
    beforeEach(() => cp(path.join(template.env['DATA_DIR'] ?? '', 'pgdata'), path.join(folder, 'pgdata'), { recursive: true }));
    const at = (name: string) => path.join(folder, 'pgdata', name);

    test.each<[string, () => Promise<unknown>]>([
      ['an empty pg_control', () => truncate(at('global/pg_control'), 0)],
      ['a missing pg_control', () => rm(at('global/pg_control'))],
      ['another version of PostgreSQL', () => writeFile(at('PG_VERSION'), '12\n')],
      ['a missing PG_VERSION', () => rm(at('PG_VERSION'))],
      ['no tables', () => rm(at('base'), { recursive: true })],
      ['no write-ahead log', () => rm(at('pg_wal'), { recursive: true })],
    ])('%s → a sentence', async (_, damage) => {
      await damage();
      const sentence =
        `The embedded database in DATA_DIR ${folder} is damaged, or from another version of PostgreSQL. ` +
        'Restore the folder from a backup, or delete it to start with an empty database.';
      expectSentence(await list(folder), sentence);
    });

    test.each<[string, () => Promise<unknown>]>([
      ['a missing table', () => rm(at(tableFile))],
      ['a table of random bytes', () => writeFile(at(tableFile), Buffer.alloc(8192, 'random'))],
    ])('%s → a sentence, also from serve', async (_, damage) => {
      // An empty table has no file to damage.
      await runCommand({ DATA_DIR: folder }, ['token', 'create', '--name', 'a', '--role', 'VIEWER']);
      await damage();
      const sentence = 'A file of the database is damaged or missing. Restore the database from a backup.';
      expectSentence(await list(folder), sentence);
      expectSentence(await runCommand({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' }, ['serve']), sentence);
    });

    (canDropPrivileges ? test : test.skip)('files of another user → a sentence', async () => {
      await chmod(at('global/pg_control'), 0o400);
      const reason = 'the user of the gateway may not write there. Give it that right, or set DATA_DIR to another folder';
      await expectUnusable(folder, reason, runWithoutPrivileges);
    });
  });
});
