import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readText, STOPS_WITHIN_SECONDS } from './repository.js';

const UNIT = 'flag-admin-gateway.service';
/**
 * The highest exposure that is allowed, on systemd's scale to ten. The service needs the network, and JavaScript needs memory that
 * is writable and executable.
 */
const MAX_EXPOSURE = 1.5;

const text = readText(`deploy/${UNIT}`);
const isAvailable = spawnSync('systemd-analyze', ['--version']).status === 0;
// CI must have systemd-analyze.
const withSystemd = isAvailable || process.env['CI'] ? test : test.skip;

describe(`deploy/${UNIT}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'gateway-unit-'));
    // systemd-analyze requires that the program exists.
    writeFileSync(path.join(folder, UNIT), text.replace('/usr/bin/node', process.execPath));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, path.join(folder, UNIT)], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  withSystemd('has no mistakes', () => {
    expect(analyze('verify')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  withSystemd(`has an exposure of at most ${MAX_EXPOSURE}`, () => {
    const { status, stdout } = analyze('security', '--offline=true', `--threshold=${MAX_EXPOSURE * 10}`);
    expect({ status, verdict: stdout.trim().split('\n').at(-1) }).toEqual({ status: 0, verdict: expect.any(String) });
  });

  test('allows the gateway enough time to stop', () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text) ?? [];
    expect(Number(seconds)).toBeGreaterThan(STOPS_WITHIN_SECONDS);
  });

  test('contains no secret', () => {
    expect(text.match(/^Environment=.*/gm)).toEqual(['Environment=NODE_ENV=production']);
    expect(text).toMatch(/^EnvironmentFile=\/etc\/flag-admin-gateway\.env$/m);
  });
});
