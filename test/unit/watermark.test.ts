import { expect, test } from '@jest/globals';
import { createWatermark, type WatermarkLog, UNKNOWN_WRITERS } from '../../src/log-version/watermark.js';

/** A log of one event, whose writers at each look are these, the last of them for ever. */
function logWith(writers: readonly (readonly string[])[]): WatermarkLog {
  let looks = 0;
  return {
    findHighestId: async () => 7,
    publishWatermark: async () => ({ epoch: 'epoch', server: 'server' }),
    findWriters: async () => [...(writers[Math.min(looks++, writers.length - 1)] ?? [])],
  };
}

test.each<[string, string[][], boolean]>([
  ['nobody', [[]], true],
  ['who goes on', [['3/1']], false],
  ['who ends', [['3/1'], []], true],
  ['another who came later', [['3/1'], ['4/2']], true],
  ['who prepares for two phases', [['3/1'], ['-1/9']], false],
  ['who cannot be told', [[UNKNOWN_WRITERS]], false],
  ['who ends while it cannot be told', [['3/1'], [UNKNOWN_WRITERS]], false],
  ['who cannot be told, and then can', [[UNKNOWN_WRITERS], ['4/2']], true],
])('while %s writes', async (_, writers, isSettled) => {
  const watermark = createWatermark(logWith(writers), 0);
  for (let turn = 0; turn < 3; turn += 1) await watermark.advance();
  expect(watermark.current !== null).toBe(isSettled);
});
