import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLoopTurns } from '../../src/limits/loop-turns.js';

/** Begins requests of callers, and records the order in which they began. */
function start(maxPerTurn: number) {
  const beginInTurn = createLoopTurns(maxPerTurn);
  const begun: string[] = [];
  const add = async (caller: string) => {
    await beginInTurn(caller);
    begun.push(caller);
  };
  return { begun, add: (...callers: string[]) => void callers.map(add), beginInTurn };
}

test('few requests → begin at once', () => {
  const { beginInTurn } = start(2);
  expect([beginInTurn('a'), beginInTurn('a')]).toEqual([undefined, undefined]);
  expect(beginInTurn('a')).toBeInstanceOf(Promise);
});

test('many requests of one caller → a number of them in each turn of the event loop, until all have begun', async () => {
  const { begun, add } = start(2);
  add('a', 'a', 'a', 'a', 'a');
  const counts: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    await Promise.resolve();
    counts.push(begun.length);
    await setImmediate();
  }
  expect([...counts, begun.length]).toEqual([2, 4, 5, 5, 5]);
});

test('a caller with many requests and others with one → the others begin in the next turn', async () => {
  const { begun, add } = start(3);
  add('a', 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'c');
  await setImmediate();
  await Promise.resolve();
  expect(begun).toEqual(['a', 'a', 'a', 'a', 'b', 'c']);
  await setImmediate();
  await setImmediate();
  expect(begun).toEqual(['a', 'a', 'a', 'a', 'b', 'c', 'a', 'a', 'a']);
});

test('requests after a pause → begin at once again', async () => {
  const { add, begun, beginInTurn } = start(2);
  add('a', 'a', 'a', 'a', 'a');
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  expect(begun).toHaveLength(5);
  expect(beginInTurn('b')).toBeUndefined();
});
