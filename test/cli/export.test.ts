import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseCsv, toWireEvent } from '../support/parse-csv.js';
import { recordedEvents, recordedLines } from '../support/recorded-log.js';
import { runCommand, spawnCommand, startCommand, waitForResult } from '../support/run-command.js';
import { createTestDatabase, isPostgres } from '../support/test-database.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const COUNT = recordedLines.length;
const byId = [...recordedEvents].sort((a, b) => a.id - b.id);
const HIGHEST_ID = byId.at(-1)?.id ?? 0;
const DONE =
  `Exporting ${COUNT} events. If the export is interrupted, continue it with --after <id of the last event that arrived> --up-to ${HIGHEST_ID}.\n` +
  `${COUNT} events exported, up to the id ${HIGHEST_ID}\n`;

describe('export, beside a running gateway', () => {
  let gateway: TestGateway;
  let folder: string;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-export-'));
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  const run = (...args: readonly string[]) => runCommand(gateway.databaseEnv, ['export', ...args]);
  const fileOf = (name: string) => path.join(folder, name);

  test('to standard output → the same bytes as over HTTP', async () => {
    const { text } = await gateway.send('/v1/events/export');
    expect(await run()).toEqual({ code: 0, stdout: text, stderr: DONE });
    const csv = await gateway.send('/v1/events/export?format=csv&project=IS:default');
    const { code, stdout } = await run('--format', 'csv', '--filter', 'project=IS:default');
    expect([code, stdout === csv.text]).toEqual([0, true]);
  });

  test.each(['ndjson', 'csv'])('%s that is imported into an empty log → the same log', async (format) => {
    const { stdout } = await run('--format', format, ...(format === 'csv' ? ['--formulas', 'keep'] : []));
    const events = () => parseCsv(stdout).map(toWireEvent);
    const lines =
      format === 'csv'
        ? events()
            .map((event) => JSON.stringify(event))
            .join('\n')
        : stdout;
    const database = await createTestDatabase('empty');
    try {
      const imported = await runCommand(database.env, ['import', '-'], lines);
      expect(imported).toMatchObject({ code: 0, stdout: `${COUNT} events read, ${COUNT} added, 0 already there\n` });
      const again = (await runCommand(database.env, ['export'])).stdout;
      if (format === 'ndjson') expect(again === stdout).toBe(true);
      expect(
        again
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual(byId);
    } finally {
      await database.drop();
    }
  });

  test('the import of its own export → nothing to add, so all events are the same', async () => {
    const { stdout } = await run();
    const imported = await runCommand(gateway.databaseEnv, ['import', '-'], stdout);
    expect(imported.stdout).toBe(`${COUNT} events read, 0 added, ${COUNT} already there\n`);
  });

  test('--output → a new file; an existing one stays as it is', async () => {
    const file = fileOf('log.csv');
    expect(await run('--format', 'csv', '--output', file)).toEqual({ code: 0, stdout: '', stderr: DONE });
    const text = await readFile(file, 'utf8');
    expect(text).toBe((await gateway.send('/v1/events/export?format=csv')).text);
    expect(await run('--output', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The file ${file} exists already. Name a new file, or continue it with --after and --up-to.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test.each(['ndjson', 'csv'])(
    '--output with --after and --up-to → continues a file of %s that is cut anywhere',
    async (format) => {
      // The line breaks and quotes within a cell of CSV do not end its record.
      const data = { type: 'feature-created', createdBy: 'a', featureName: 'a\r\n1,"b"\n2,c' };
      const { id: lastId } = await gateway.prisma.event.create({ data });
      const [whole, part] = [fileOf(`whole.${format}`), fileOf(`part.${format}`)];
      await run('--format', format, '--output', whole);
      const bytes = await readFile(whole);
      const startOf = (id: number) =>
        bytes.indexOf(format === 'csv' ? `\r\n${id},` : `\n{"id":${id},`) + (format === 'csv' ? 2 : 1);
      const [secondId, middleId] = [byId[1]?.id ?? 0, byId[200]?.id ?? 0];
      for (const [cut, after] of [
        [startOf(secondId) + 1, byId[0]?.id],
        [startOf(middleId), byId[199]?.id],
        [bytes.lastIndexOf('2,c'), HIGHEST_ID],
        [bytes.length - 1, HIGHEST_ID],
        [bytes.length, lastId],
      ]) {
        await writeFile(part, bytes.subarray(0, cut));
        const continued = ['--format', format, '--output', part, '--up-to', String(lastId)];
        const { code, stderr } = await run(...continued, '--after', String(middleId));
        expect([code, stderr]).toEqual([
          1,
          `The last whole event of the file ${part} has the id ${after}, not ${middleId}. Continue it with --after ${after}.\n`,
        ]);
        expect((await readFile(part)).length).toBe(cut);
        expect((await run(...continued, '--after', String(after))).code).toBe(0);
        expect(bytes.equals(await readFile(part))).toBe(true);
      }
      await gateway.prisma.event.delete({ where: { id: lastId } });
    },
  );

  test.each([
    ['a file that does not exist', 'ndjson', null, /^The file .* to continue does not exist\.\n$/],
    [
      'a file with only a header',
      'csv',
      'id,createdAt\r\n',
      /has no whole event in the format csv\. .* export with --up-to 2 alone\.\n$/,
    ],
    ['a file of another format', 'ndjson', '1,,\r\n', /has no whole event in the format ndjson\./],
  ])('--output with --after and --up-to, and %s → 1 with the reason', async (name, format, text, stderr) => {
    const file = fileOf(name);
    if (text !== null) await writeFile(file, text);
    const result = await run('--format', format, '--output', file, '--after', '1', '--up-to', '2');
    expect(result).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });
  });

  test.each([
    [['--format', 'xml'], 'The options are not valid: format must be ndjson or csv\n'],
    [['--filter', 'project'], '--filter must have the form name=value, such as project=IS:default, and not project.\n'],
    [['--filter', 'project=default'], /^The options are not valid: project must be IS: or IS_ANY_OF:/],
    [['--filter', 'limit=1'], /^The options are not valid: limit is not known here\. The parameters are query, feature/],
    [['--filter', 'id=IS:1', '--filter', 'id=IS:2'], 'The options are not valid: id must not be given more than once\n'],
    [['--after', 'x'], 'The options are not valid: after must be the id of an event: a whole number up to 2147483647\n'],
  ])('%j → 2 with the reason', async (args, stderr) => {
    expect(await run(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: typeof stderr === 'string' ? stderr : expect.stringMatching(stderr),
    });
  });

  test('a folder that does not exist → 1 with the reason', async () => {
    const file = fileOf('no/log.ndjson');
    const { code, stderr } = await run('--output', file);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The file .* cannot be written: ENOENT/)]);
  });

  (isPostgres ? test : test.skip)('a failure before the first event → no file', async () => {
    const file = fileOf('discarded.ndjson');
    const child = startCommand(gateway.databaseEnv, ['export', '--output', file], { maxFileKilobytes: 0 });
    expect(await waitForResult(child)).toMatchObject({ code: 1, stderr: expect.stringMatching(/EFBIG/) });
    expect(existsSync(file)).toBe(false);
  });

  (isPostgres ? test : test.skip)('a process of its own → the whole log through a pipe', async () => {
    const { code, stdout, stderr } = await spawnCommand(gateway.databaseEnv, ['export']);
    expect([code, stdout.split('\n').length - 1, stderr]).toEqual([0, COUNT, DONE]);
  });
});
