import { expect, test } from '@jest/globals';
import { createWatermark, UNKNOWN_WRITERS, type WatermarkLog } from '../../src/log-version/watermark.js';

/** Creates a log of one event. Each call of findWriters returns the next list of writers, and then always the last one. */
function logWith(writers: readonly (readonly string[])[]): WatermarkLog {
  let calls = 0;
  return {
    readEnd: async () => ({ epoch: 'epoch', server: 'server', late: 0, highestId: 7 }),
    publishCandidate: async () => ({ epoch: 'epoch', server: 'server', late: 0 }),
    findWriters: async () => [...(writers[Math.min(calls++, writers.length - 1)] ?? [])],
  };
}

test.each<[string, string[][], boolean]>([
  ['no writers → a watermark', [[]], true],
  ['a writer that continues → no watermark', [['3/1']], false],
  ['a writer that ends → a watermark', [['3/1'], []], true],
  ['a writer that ends, and one that started later → a watermark', [['3/1'], ['4/2']], true],
  ['a writer that prepares a two-phase commit → no watermark', [['3/1'], ['-1/9']], false],
  ['unknown writers → no watermark', [[UNKNOWN_WRITERS]], false],
  ['a writer, then unknown writers → no watermark', [['3/1'], [UNKNOWN_WRITERS]], false],
  ['unknown writers, then a known one → a watermark', [[UNKNOWN_WRITERS], ['4/2']], true],
])('%s', async (_, writers, hasWatermark) => {
  const watermark = createWatermark(logWith(writers), 0);
  for (let turn = 0; turn < 3; turn += 1) await watermark.advance();
  expect(watermark.current !== null).toBe(hasWatermark);
});
