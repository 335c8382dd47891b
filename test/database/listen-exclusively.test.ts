import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listenExclusively } from '../../src/database/embedded/listen-exclusively.js';

const MODULE = new URL('../../dist/database/embedded/listen-exclusively.js', import.meta.url).href;

/** Tries to listen, prints the outcome, and listens until its input ends. */
const LISTENER = `
  const { listenExclusively } = await import(process.argv[1]);
  const { close } = await listenExclusively(process.argv[2], 'x.sock', (socket) => socket.destroy());
  process.stdout.write(close ? 'alone' : 'not alone');
  if (close) process.stdin.resume();`;

describe('listening exclusively on a socket of a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const start = () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', LISTENER, MODULE, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const outcome = new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    return { child, outcome, closed };
  };

  test('the process is killed, then six processes start at once → exactly one listens', async () => {
    const killed = start();
    expect(await killed.outcome).toBe('alone');
    killed.child.kill('SIGKILL');
    await killed.closed;

    const processes = Array.from({ length: 6 }, start);
    const outcomes = await Promise.all(processes.map((process) => process.outcome));
    for (const { child } of processes) child.stdin.end();
    await Promise.all(processes.map(({ closed }) => closed));

    expect(outcomes.sort()).toEqual(['alone', ...Array.from({ length: 5 }, () => 'not alone')]);
  });

  test('a hundred times, eight calls at once after the socket was closed → exactly one listens', async () => {
    for (let round = 0; round < 100; round += 1) {
      const all = await Promise.all(
        Array.from({ length: 8 }, () => listenExclusively(folder, 'x.sock', (socket) => socket.destroy())),
      );
      const owners = all.filter(({ close }) => close !== null);
      expect(owners).toHaveLength(1);
      expect(new Set(all.map(({ address }) => address)).size).toBe(1);
      owners[0]?.close?.();
    }
  });
});
