import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readText, STOPS_WITHIN_SECONDS } from './repository.js';

const UNIT = 'flag-admin-gateway.service';
/** Of ten, as systemd rates it: a service must reach the network, and JavaScript needs memory that is written and run. */
const EXPOSURE = 1.5;

const text = readText(`deploy/${UNIT}`);
const isAvailable = spawnSync('systemd-analyze', ['--version']).status === 0;
// In CI it has to be there.
const withSystemd = isAvailable || process.env['CI'] ? test : test.skip;

describe(`deploy/${UNIT}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'gateway-unit-'));
    // The program has to exist where the unit is checked.
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

  withSystemd(`is exposed to no more than ${EXPOSURE}`, () => {
    const { status, stdout } = analyze('security', '--offline=true', `--threshold=${EXPOSURE * 10}`);
    expect({ status, verdict: stdout.trim().split('\n').at(-1) }).toEqual({ status: 0, verdict: expect.any(String) });
  });

  test('waits longer than the gateway takes to stop', () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text) ?? [];
    expect(Number(seconds)).toBeGreaterThan(STOPS_WITHIN_SECONDS);
  });

  test('holds no secret', () => {
    expect(text.match(/^Environment=.*/gm)).toEqual(['Environment=NODE_ENV=production']);
    expect(text).toMatch(/^EnvironmentFile=\/etc\/flag-admin-gateway\.env$/m);
  });
});
