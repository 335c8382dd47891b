import { expect, test } from '@jest/globals';
import { Event } from '../../src/events/event.js';
import type { EventLog } from '../../src/events/event-log.js';
import { type Context, createLogReader } from '../../src/events/log-reader.js';
import { releaseEvents } from '../../src/events/written-events.js';
import { withoutTurns } from '../../src/limits/in-turn.js';

const contextOf = (id: string) => ({ caller: { id }, signal: new AbortController().signal }) as unknown as Context;

const openLog = async () => ({ store: { withSignal: () => ({}) }, totals: { withSignal: () => ({}) } }) as unknown as EventLog;

test('an operation whose response was written → its events are released, and those of another operation are not', async () => {
  const reader = createLogReader(openLog, async () => undefined, withoutTurns);
  const [ended, running] = [contextOf('a'), contextOf('a')];
  const toEvent = (id: string) => new Event([id]);
  const events = ['1', '2', '3'].map(toEvent);
  const other = toEvent('4');
  const add = (context: Context, added: readonly Event[]) =>
    reader.readInTurn(context, false, async (log) => log.addEvents(added, new Map(), ['nodes.']));
  await add(ended, events.slice(0, 2));
  await add(ended, events.slice(2));
  await add(running, [other]);
  releaseEvents(ended);
  for (const event of events) expect(() => event.id).toThrow('released');
  expect(other.id).toBe(4);
});

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
