import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startHttpServer } from '../support/http-server.js';
import { startCommand, waitForResult } from '../support/run-command.js';
import { isPostgres } from '../support/test-database.js';
import { startTestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

/** Together, these events have more bytes than a pipe of Linux (64 kB), and each has fewer than a stream of Node.js buffers. */
const EVENTS = 120;
const CHARACTERS = 1_000;

const ENDED = 'The reader of standard output has ended (EPIPE), perhaps before it had read everything.\n';

const FULL_DISK = '/dev/full';
const onFullDisk = existsSync(FULL_DISK) ? test : test.skip;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gateway-output-'));
  await writeFile(path.join(folder, 'token'), 'token');
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a command whose standard output is a file. */
async function writeTo(file: string, args: readonly string[], maxFileKilobytes?: number) {
  const stdout = openSync(file, 'w');
  const child = startCommand({}, args, { stdout, ...(maxFileKilobytes !== undefined && { maxFileKilobytes }) });
  closeSync(stdout);
  return waitForResult(child);
}

/** Runs a command whose reader ends after the first bytes. */
async function endReader(env: Readonly<Record<string, string>>, args: readonly string[]) {
  const child = startCommand(env, args);
  child.stdout?.once('data', () => child.stdout?.destroy());
  const { code, stderr } = await waitForResult(child);
  return { code, stderr };
}

/** Reads what a pipe has after its last writer has ended. */
function readAll(descriptor: number): string {
  const chunks: Buffer[] = [];
  for (let read = 1; read > 0; ) {
    const chunk = Buffer.alloc(64 * 1024);
    read = readSync(descriptor, chunk);
    chunks.push(chunk.subarray(0, read));
  }
  return Buffer.concat(chunks).toString();
}

describe('feed, to a standard output that cannot be written', () => {
  let state: string;
  let server: Awaited<ReturnType<typeof startHttpServer>>;
  let args: readonly string[];
  let runs = 0;
  beforeEach(async () => {
    runs += 1;
    state = path.join(folder, `state-${runs}`);
    server = await startHttpServer((_, response) => void sendEvents(response));
    const from = ['--from', server.url, '--token-file', path.join(folder, 'token'), '--state', state];
    args = ['feed', ...from];
  });
  afterEach(() => server.stop());

  /** Sends the events one after the other, each with its id as the cursor after it. */
  async function sendEvents(response: ServerResponse): Promise<void> {
    for (let id = 1; id <= EVENTS && !response.destroyed; id += 1) {
      response.write(`{"cursor":"${id}","event":${JSON.stringify({ id, text: 'x'.repeat(CHARACTERS) })}}\n`);
      await setTimeout(1);
    }
  }

  /** Returns the id of the event that the stored cursor follows; 0 if no cursor is stored. */
  const readCursor = async () => Number(await readFile(state, 'utf8').catch(() => '0'));

  test('killed while nobody reads its pipe → the pipe has all events up to the cursor', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, constants.O_WRONLY);
    const child = startCommand({}, args, { stdout: writer });
    closeSync(writer);
    let cursor = 0;
    await waitUntil('the pipe is full, so the cursor does not move', async () => {
      const before = cursor;
      await setTimeout(500);
      cursor = await readCursor();
      return cursor > 0 && cursor === before;
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    const text = readAll(reader);
    closeSync(reader);
    const ids = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).id);
    expect(ids.length).toBeLessThan(EVENTS);
    expect(ids.at(-1)).toBeGreaterThanOrEqual(cursor);
  });

  test('a reader that ends → 1 with the reason, and the cursor of an event that the pipe had', async () => {
    expect(await endReader({}, args)).toEqual({ code: 1, stderr: ENDED });
    expect(await readCursor()).toBeLessThan(EVENTS);
  });

  onFullDisk('a full disk → 1 with the reason, and no cursor', async () => {
    const { code, stderr } = await writeTo(FULL_DISK, args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Standard output cannot be written: ENOSPC.*\.\n$/)]);
    expect(existsSync(state)).toBe(false);
  });

  test('a disk that takes only a part of a line → 1 with the reason, and the cursor before this line', async () => {
    const file = path.join(folder, 'limited');
    const { code, stderr } = await writeTo(file, args, 2);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Standard output cannot be written: EFBIG.*\.\n$/)]);
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines.at(-1)).not.toBe('');
    // Whole lines before the partial one may belong to the same batch, which a later run writes again.
    expect(await readCursor()).toBeLessThanOrEqual(lines.length - 1);
  });
});

describe('export, to a standard output that cannot be written', () => {
  (isPostgres ? test : test.skip)('a reader that ends → 1, and how to continue', async () => {
    const gateway = await startTestGateway('log');
    try {
      const { code, stderr } = await endReader(gateway.databaseEnv, ['export']);
      const next = 'To continue, run the command again with --after <id of the last event that arrived> --up-to';
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${ENDED.trimEnd()} ${next}`)]);
    } finally {
      await gateway.stop();
    }
  });

  (isPostgres ? test : test.skip)('events that are removed meanwhile → 1, and no advice to continue', async () => {
    const gateway = await startTestGateway('log');
    try {
      // The pipe and the buffers of both processes hold less than these events.
      await gateway.prisma.$executeRaw`
        INSERT INTO events (type, created_by, data)
        SELECT 'feature-created', 'long', jsonb_build_object('text', repeat('x', 20000)) FROM generate_series(1, 200)`;
      const child = startCommand(gateway.databaseEnv, ['export']);
      const result = waitForResult(child);
      child.stdout?.pause();
      await waitUntil('the export has begun', () => child.stdout?.readableLength !== 0);
      await gateway.prisma.$executeRaw`DELETE FROM events WHERE id > (SELECT max(id) - 10 FROM events)`;
      child.stdout?.resume();
      const { code, stderr } = await result;
      expect([code, stderr.split('\n').at(-2)]).toEqual([
        1,
        'Events were added or removed within the range of the export while it ran. Start the export again, and discard what was written.',
      ]);
    } finally {
      await gateway.stop();
    }
  });
});

describe('other commands', () => {
  test('a reader that ends early, such as head → 0 without a message', async () => {
    expect(await endReader({}, ['openapi'])).toEqual({ code: 0, stderr: '' });
  });

  onFullDisk('a full disk → 1 with the reason', async () => {
    const { code, stderr } = await writeTo(FULL_DISK, ['--help']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Standard output cannot be written: ENOSPC.*\.\n$/)]);
  });
});
