import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const LOCK_MODULE = new URL('../../dist/database/embedded/data-dir-lock.js', import.meta.url).href;

/** Tries to take the lock, prints the outcome, and holds the lock until its input ends. */
const HOLDER = `
  const { lockDataDir } = await import(process.argv[1]);
  await lockDataDir(process.argv[2]).then(
    () => { process.stdout.write('held'); process.stdin.resume(); },
    () => process.stdout.write('rejected'),
  );`;

describe('the lock of the embedded database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const start = () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, LOCK_MODULE, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const outcome = new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    return { child, outcome, closed };
  };

  test('the holder is killed, then six processes start at once → exactly one gets the lock', async () => {
    const killed = start();
    expect(await killed.outcome).toBe('held');
    killed.child.kill('SIGKILL');
    await killed.closed;

    const processes = Array.from({ length: 6 }, start);
    const outcomes = await Promise.all(processes.map((process) => process.outcome));
    for (const { child } of processes) child.stdin.end();
    await Promise.all(processes.map(({ closed }) => closed));

    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'rejected')).toHaveLength(5);
  });
});
