import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startHeartbeat } from '../../src/database/heartbeat.js';

const others = { respondedAt: 0, abandon() {} };

/** Whether the heartbeat reports the server as unavailable after its first ping. */
async function isUnavailableAfterPing(
  connect: () => Promise<{ ping(): Promise<unknown>; end(): Promise<void> }>,
): Promise<boolean> {
  const heartbeat = startHeartbeat(connect, others);
  await setImmediate();
  const isUnavailable = heartbeat.isUnavailable();
  await heartbeat.stop();
  return isUnavailable;
}

const connection = (ping: () => Promise<unknown>) => async () => ({ ping, end: async () => undefined });

test.each([
  ['responds → available', connection(async () => 1), false],
  ['cannot be reached → unavailable', () => Promise.reject(new Error('refused')), true],
  ['has no connection left → available', () => Promise.reject(Object.assign(new Error('sorry'), { code: '53300' })), false],
  ['closes the connection → unavailable', connection(() => Promise.reject(new Error('terminated'))), true],
])('a server that %s', async (_, connect, expected) => {
  expect(await isUnavailableAfterPing(connect)).toBe(expected);
});
