import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const LOCK_MODULE = new URL('../../dist/database/embedded/data-dir-lock.js', import.meta.url).href;

/** Takes the lock, says whether it has it, and holds it until its input ends. */
const HOLDER = `
  const { lockDataDir } = await import(process.argv[1]);
  await lockDataDir(process.argv[2]).then(
    () => { process.stdout.write('held'); process.stdin.resume(); },
    () => process.stdout.write('refused'),
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
    const said = new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    return { child, said, ended };
  };

  test('many processes at once, after one was killed → one has it', async () => {
    const killed = start();
    expect(await killed.said).toBe('held');
    killed.child.kill('SIGKILL');
    await killed.ended;

    const processes = Array.from({ length: 6 }, start);
    const said = await Promise.all(processes.map((process) => process.said));
    for (const { child } of processes) child.stdin.end();
    await Promise.all(processes.map(({ ended }) => ended));

    expect(said.filter((answer) => answer === 'held')).toHaveLength(1);
    expect(said.filter((answer) => answer === 'refused')).toHaveLength(5);
  });
});
