import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createProgressLog } from '../../src/cli/progress.js';

let written: string[];
const { isTTY } = process.stderr;
beforeEach(() => {
  written = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  process.stderr.isTTY = isTTY;
});

test('a terminal → each text in place of the one before', () => {
  process.stderr.isTTY = true;
  const log = createProgressLog(60_000);
  log('1 of 2');
  log('2 of 2');
  expect(written).toEqual(['\r\u001b[K1 of 2', '\r\u001b[K2 of 2']);
});

test('no terminal → a line whenever the interval is over', () => {
  process.stderr.isTTY = false;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const log = createProgressLog(10_000);
  for (const now of [5_000, 10_000, 12_000, 20_001]) {
    clock.mockReturnValue(now);
    log(`at ${now}`);
  }
  expect(written).toEqual(['at 10000\n', 'at 20001\n']);
});
