import { expect, test } from '@jest/globals';
import type { Event } from '../../src/events/event.js';
import type { EventLog } from '../../src/events/event-log.js';
import { type Context, createLogReader } from '../../src/events/log-reader.js';
import { withoutTurns } from '../../src/limits/in-turn.js';

const contextOf = (id: string) => ({ caller: { id }, signal: new AbortController().signal }) as unknown as Context;

test('a field after one whose events did not fit → the same error, without reading the log', async () => {
  let opened = 0;
  const reader = createLogReader(
    async () => {
      opened += 1;
      return { store: { withSignal: () => ({}) }, totals: { withSignal: () => ({}) } } as unknown as EventLog;
    },
    async () => undefined,
    withoutTurns,
  );
  const context = contextOf('a');
  const event = { textLength: 9_000_000, lengthIn: () => 9_000_000 } as unknown as Event;
  const read = () => reader.readInTurn(context, false, async (log) => log.addEvents([event], new Map(), ['nodes.']));
  await read();
  const error = await read().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'BadDataError', limit: 'request' });
  await expect(read()).rejects.toBe(error);
  expect(opened).toBe(2);
});

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
