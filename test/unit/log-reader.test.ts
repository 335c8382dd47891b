import { expect, test } from '@jest/globals';
import type { EventLog } from '../../src/events/event-log.js';
import { type Context, createLogReader } from '../../src/events/log-reader.js';
import { withoutTurns } from '../../src/limits/fair-queue.js';

const contextOf = (id: string) => ({ caller: { id }, signal: new AbortController().signal }) as unknown as Context;

test('fifty exports of a caller wait for the end of the log → further ones get 429, and those of others wait', async () => {
  const ends: (() => void)[] = [];
  const totals = { settle: () => new Promise<number>((resolve) => ends.push(() => resolve(7))) };
  const reader = createLogReader(
    async () => ({ totals }) as unknown as EventLog,
    async () => undefined,
    withoutTurns,
  );
  const settle = (caller: string) => reader.settle(contextOf(caller), null, false);
  const waiting = Array.from({ length: 50 }, () => settle('a'));
  await expect(settle('a')).rejects.toMatchObject({ name: 'TooManyRequestsError', limit: 'request' });
  const other = settle('b');
  await new Promise(setImmediate);
  for (const end of ends) end();
  expect(await Promise.all([...waiting, other])).toEqual(Array.from({ length: 51 }, () => 7));

  const again = settle('a');
  await new Promise(setImmediate);
  ends.at(-1)?.();
  expect(await again).toBe(7);
});
