import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startHeartbeat } from '../../src/database/heartbeat.js';

const others = { respondedAt: 0, abandon() {} };

/** What a heartbeat says after its first beat. */
async function isAwayAfter(connect: () => Promise<{ ping(): Promise<unknown>; end(): Promise<void> }>): Promise<boolean> {
  const heartbeat = startHeartbeat(connect, others);
  await setImmediate();
  const isUnavailable = heartbeat.isUnavailable();
  await heartbeat.stop();
  return isUnavailable;
}

const connection = (ping: () => Promise<unknown>) => async () => ({ ping, end: async () => undefined });

test.each([
  ['answers', connection(async () => 1), false],
  ['is not reached', () => Promise.reject(new Error('refused')), true],
  ['has no room for one more connection', () => Promise.reject(Object.assign(new Error('sorry'), { code: '53300' })), false],
  ['ends the connection', connection(() => Promise.reject(new Error('terminated'))), true],
])('a server that %s is away, or not', async (_, connect, expected) => {
  expect(await isAwayAfter(connect)).toBe(expected);
});
