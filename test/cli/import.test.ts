import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/database/open.js';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { eventLine as line } from '../support/event-line.js';
import { recordedLines } from '../support/recorded-log.js';
import { runCommand } from '../support/run-command.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('import', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createTestDatabase('empty');
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-import-'));
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const importText = (text: string | Buffer) => runCommand(database.env, ['import', '-'], text);
  const importLines = (...lines: readonly string[]) => importText(lines.join('\n'));

  async function withPrisma<T>(work: (prisma: PrismaClient) => Promise<T>): Promise<T> {
    const opened = await openDatabase(database.location);
    try {
      return await work(opened.prisma);
    } finally {
      await opened.close();
    }
  }
  const countEvents = () => withPrisma((prisma) => prisma.event.count());

  test('times before the year 1 and after the year 9999 → as stored; again → nothing changes', async () => {
    const times = ['-000043-03-15T12:00:00.001Z', '+000000-02-29T00:00:00.000Z', '+020000-01-01T00:00:00.000Z'];
    const lines = times.map((createdAt, index) => line(index + 1, { createdAt }));
    expect(await importLines(...lines)).toMatchObject({ code: 0, stdout: '3 events read, 3 added, 0 already there\n' });
    expect(await importLines(...lines)).toMatchObject({ code: 0, stdout: '3 events read, 0 added, 3 already there\n' });
    const rows = await withPrisma(
      (prisma) =>
        prisma.$queryRaw<{ ms: number }[]>`SELECT (extract(epoch FROM created_at) * 1000)::float8 AS ms FROM events ORDER BY id`,
    );
    expect(rows.map(({ ms }) => ms)).toEqual(times.map((time) => Date.parse(time)));
  });

  test('a file → all of its events with their ids and times; again → nothing changes', async () => {
    const file = path.join(folder, 'log.ndjson');
    await writeFile(file, recordedLines.join('\n'));
    const rows = () =>
      withPrisma(
        (prisma) =>
          prisma.$queryRaw`SELECT md5(string_agg(e::text, ',' ORDER BY id)) AS hash, count(*)::int AS count FROM events e`,
      );

    const first = await runCommand(database.env, ['import', file]);
    expect(first).toEqual({
      code: 0,
      stdout: `${recordedLines.length} events read, ${recordedLines.length} added, 0 already there\n`,
      stderr: '',
    });
    const before = await rows();
    expect(before).toMatchObject([{ count: recordedLines.length }]);

    const second = await runCommand(database.env, ['import', file]);
    expect(second).toEqual({
      code: 0,
      stdout: `${recordedLines.length} events read, 0 added, ${recordedLines.length} already there\n`,
      stderr: '',
    });
    expect(await rows()).toEqual(before);
  });

  test('an array and pages over several lines, compressed by gzip → the same events as lines', async () => {
    const array = `[${recordedLines.join(',')}]`;
    const pages = [recordedLines.slice(0, 1000), recordedLines.slice(1000)].map(
      (lines) => `{\n  "version": 1,\n  "events": [\n${lines.join(',\n')}\n  ],\n  "totalEvents": ${recordedLines.length}\n}\n`,
    );
    // `import` recognizes the format by the content, not by the name of the file.
    const file = path.join(folder, 'log.txt');
    const count = recordedLines.length;
    await writeFile(file, gzipSync(array));
    expect(await runCommand(database.env, ['import', file])).toEqual({
      code: 0,
      stdout: `${count} events read, ${count} added, 0 already there\n`,
      stderr: '',
    });
    const again = { code: 0, stdout: `${count} events read, 0 added, ${count} already there\n`, stderr: '' };
    expect(await importLines(...recordedLines)).toEqual(again);
    expect(await importText(Buffer.concat(pages.map((page) => gzipSync(page))))).toEqual(again);
  });

  test('a page of a longer result → its events, and a hint on stderr', async () => {
    expect(await importText(`{"events":[${line(3)},${line(2)}],"total":3}`)).toEqual({
      code: 0,
      stdout: '2 events read, 2 added, 0 already there\n',
      stderr:
        'The file has 2 of 3 events: it is one page of a longer result. Import the other pages too, or copy the log with the command mirror.\n',
    });
  });

  test('standard input, blank lines, CRLF, a missing last line break → the events', async () => {
    const { code, stdout } = await importText(`\n${line(1)}\r\n\r\n   \n${line(2)}`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2 events read, 2 added, 0 already there\n' });
  });

  test('an empty file → nothing, and no failure', async () => {
    expect(await importText('')).toEqual({ code: 0, stdout: '0 events read, 0 added, 0 already there\n', stderr: '' });
  });

  test('ids past the sequence → the next event that is created has a higher one', async () => {
    await importLines(line(5), line(4711), line(9));
    const created = await withPrisma((prisma) => prisma.event.create({ data: { type: 'feature-created', createdBy: 'x' } }));
    expect(created.id).toBe(4712);
    await importLines(line(7));
    const next = await withPrisma((prisma) => prisma.event.create({ data: { type: 'feature-created', createdBy: 'x' } }));
    expect(next.id).toBe(4713);
  });

  test('an event that is written in another way → the same event', async () => {
    const preData = { b: 1, a: [-0, 'é'] };
    await importLines(line(1, { createdAt: '2026-01-02T03:04:05.678Z', preData, tags: [] }));
    const again = line(1, { createdAt: '2026-01-02T04:04:05.6789+01:00', preData: '?', tags: null });
    const { stdout, stderr } = await importLines(again.replace('"?"', '{ "a" : [-0, "\\u00e9"], "b": 1.0 }'));
    expect({ stdout, stderr }).toEqual({ stdout: '1 events read, 0 added, 1 already there\n', stderr: '' });
  });

  test.each([
    ['a line', '', ''],
    ['an array', '[', ']'],
  ])('long numbers, repeated keys, escapes and blanks of data in %s → kept as text', async (_, before, after) => {
    const data = '{"n": 12345678901234567890.12345678901234567890, "a": 1, "a":2,  "u": "\\u00e4", "z": 1e400}';
    const { stderr } = await importText(`${before}{"data": ${data}, ${line(1).slice(1)}${after}\n`);
    expect(stderr).toBe('');
    const rows = await withPrisma((prisma) => prisma.$queryRaw`SELECT data::text AS data FROM events`);
    expect(rows).toEqual([{ data }]);
  });

  test('data that is null or missing → no data; fields that are not known → left alone', async () => {
    await importLines(
      line(1, { data: null, preData: null, tags: null }),
      line(2, { label: 'new', environmentType: 'x' }),
      line(3, { data: 'null' }),
    );
    const rows = await withPrisma(
      (prisma) => prisma.$queryRaw`SELECT id, data::text AS data, pre_data::text AS pre FROM events ORDER BY id`,
    );
    expect(rows).toEqual([
      { id: 1, data: null, pre: null },
      { id: 2, data: null, pre: null },
      { id: 3, data: '"null"', pre: null },
    ]);
  });

  const readTextIndexes = () =>
    withPrisma(
      (prisma) => prisma.$queryRaw<{ definition: string }[]>`
        SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'events'::regclass AND indisvalid ORDER BY 1`,
    );

  test.each([
    ['a first log', [line(1)], 0],
    ['a log that is refused', [line(1), '{'], 1],
  ])('%s → the same indexes as before', async (_, lines, exitCode) => {
    const before = await readTextIndexes();
    expect(before.filter(({ definition }) => /gin_trgm_ops/.test(definition))).toHaveLength(3);
    expect((await importLines(...lines)).code).toBe(exitCode);
    expect(await readTextIndexes()).toEqual(before);
  });

  describe('a bad line is named with its number and nothing of the file is kept', () => {
    test('in one line on stderr', async () => {
      const { code, stdout, stderr } = await importLines(line(1), line(2), line(3, { preData: { a: '\0' } }), line(4));
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^Line 3 is rejected by the database[^\n]*Nothing of the file was imported\.\n$/);
      expect(await countEvents()).toBe(0);
    });

    test('bytes that are not UTF-8', async () => {
      const { code, stderr } = await importText(
        Buffer.concat([Buffer.from(`${line(1)}\n{"id":2,"type":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]),
      );
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Line 2 is not valid UTF-8/);
      expect(await countEvents()).toBe(0);
    });

    test('an id that the log has for another event', async () => {
      await importLines(line(1), line(2));
      const { code, stderr } = await importLines(line(3), line(1), line(2, { type: 'feature-deleted' }));
      expect(code).toBe(1);
      expect(stderr).toBe(
        'Line 3 has the id 2, which another event of the log or of the file already has. Nothing of the file was imported.\n',
      );
      expect(await countEvents()).toBe(2);
    });

    test('an id that the file has for two events: the second of them', async () => {
      const { code, stderr } = await importLines(line(1), line(1), line(1, { data: { on: true } }), line(1, { tags: null }));
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Line 3 has the id 1/);
      expect(await countEvents()).toBe(0);
    });
  });

  test.each<[string, string | Buffer, string]>([
    ['an event of an array', `[${line(1)},\n${line(0)}]`, 'Event 2 in line 2 id must be a whole number from 1 to 2146483647'],
    [
      'an event that the database rejects',
      `[${line(1)},${line(2, { data: { a: '\0' }, preData: { a: '\0' } })}]`,
      'Event 2 in line 1 is rejected by the database',
    ],
    ['a truncated gzip file', gzipSync(line(1)).subarray(0, -9), 'The gzip file is truncated'],
  ])('%s → one line on stderr that says so, and nothing of the file is kept', async (_, file, problem) => {
    const { code, stdout, stderr } = await importText(file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*\. Nothing of the file was imported\.\n$/);
    expect(stderr).toContain(problem);
    expect(await countEvents()).toBe(0);
  });

  test.each([
    ['a missing file', 'missing.ndjson', /^The file \S+missing\.ndjson does not exist\.\n$/],
    ['a folder', '.', /^\S+ is a folder\. Name a file\.\n$/],
    ['a file within a file', 'file/log.ndjson', /^The file \S+log\.ndjson cannot be read: ENOTDIR[^\n]*\.\n$/],
  ])('%s → said so in one line', async (_, name, message) => {
    await writeFile(path.join(folder, 'file'), '');
    const { code, stdout, stderr } = await runCommand(database.env, ['import', path.join(folder, name)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('a long string of escapes, imported twice → the same event', async () => {
    const line = JSON.stringify({
      id: 1,
      type: 'x',
      createdBy: 'x',
      createdAt: '2026-01-01T00:00:00.000Z',
      data: { a: '"'.repeat(2_000_000), b: 1 },
    });
    expect((await importLines(line)).stdout).toMatch(/1 added/);
    expect((await importLines(line)).stdout).toMatch(/1 already there/);
  });

  test('no file named → usage on stderr', async () => {
    const { code, stdout, stderr } = await runCommand(database.env, ['import']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain("missing required argument 'file'");
  });
});
