import { expect, test } from '@jest/globals';
import type { EventLog } from '../../src/events/event-log.js';
import type { Context } from '../../src/events/log-reader.js';
import { createSettleExport } from '../../src/events/settle-export.js';

const contextOf = (id: string) => ({ caller: { id }, signal: new AbortController().signal }) as unknown as Context;

test('eight exports of a caller wait for the end of the log → further ones get 429, and those of others wait', async () => {
  const ends: (() => void)[] = [];
  const totals = { settle: () => new Promise<number>((resolve) => ends.push(() => resolve(7))), findLate: () => 3 };
  const settleExport = createSettleExport({ totals } as unknown as EventLog);
  const settle = (caller: string) => settleExport(contextOf(caller), null, false);
  const waiting = Array.from({ length: 8 }, () => settle('a'));
  await expect(settle('a')).rejects.toMatchObject({ name: 'TooManyRequestsError', limit: 'request' });
  const other = settle('b');
  await new Promise(setImmediate);
  for (const end of ends) end();
  expect(await Promise.all([...waiting, other])).toEqual(Array.from({ length: 9 }, () => ({ upTo: 7, late: 3 })));

  const again = settle('a');
  await new Promise(setImmediate);
  ends.at(-1)?.();
  expect(await again).toEqual({ upTo: 7, late: 3 });
});

test('a later page of an export whose end was confirmed → no wait; another request → the log is asked', async () => {
  const asked: (number | null)[] = [];
  const totals = {
    isSettled: (upTo: number) => upTo <= 7,
    settle: async (upTo: number | null) => {
      asked.push(upTo);
      return upTo ?? 9;
    },
    findLate: () => 3,
  };
  const settle = createSettleExport({ totals } as unknown as EventLog);
  expect(await settle(contextOf('a'), 7, true)).toEqual({ upTo: 7, late: 3 });
  expect(asked).toEqual([]);
  await settle(contextOf('a'), 8, true);
  await settle(contextOf('a'), 7, false);
  await settle(contextOf('a'), null, false);
  expect(asked).toEqual([8, 7, null]);
});
