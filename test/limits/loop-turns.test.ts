import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLoopTurns } from '../../src/limits/loop-turns.js';

/** Begins requests of callers, each of which keeps the event loop busy for `ms`. Records the order in which they began. */
function start(ms = 0) {
  let now = 0;
  const beginInTurn = createLoopTurns(() => now);
  const begun: string[] = [];
  const add = async (caller: string) => {
    await beginInTurn(caller);
    begun.push(caller);
    now += ms;
  };
  return { begun, add: (caller: string, count = 1) => void Array.from({ length: count }, () => add(caller)), beginInTurn };
}

/** Returns the number of requests that have begun after each turn of the event loop. */
async function countBegun(begun: readonly string[], turns: number): Promise<number[]> {
  const counts: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await Promise.resolve();
    counts.push(begun.length);
    await setImmediate();
  }
  return counts;
}

test('four requests → begin at once; a fifth waits', () => {
  const { beginInTurn } = start();
  expect(Array.from({ length: 4 }, () => beginInTurn('a'))).toEqual([undefined, undefined, undefined, undefined]);
  expect(beginInTurn('a')).toBeInstanceOf(Promise);
});

test('many short requests of one caller → more of them begin in each turn, and at most 16', async () => {
  const { begun, add } = start(1);
  add('a', 50);
  expect(await countBegun(begun, 5)).toEqual([4, 12, 28, 44, 50]);
});

test('many long requests of one caller → fewer begin in each turn, until it is one', async () => {
  const { begun, add } = start(30);
  add('a', 10);
  expect(await countBegun(begun, 5)).toEqual([4, 6, 7, 8, 9]);
});

test('a caller with many requests and others with one → the others begin in the next turn', async () => {
  const { begun, add } = start(30);
  add('a', 6);
  add('b');
  add('c');
  await countBegun(begun, 3);
  expect(begun.slice(0, 7)).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'c']);
});

test('requests after a pause → four of them begin at once again', async () => {
  const { add, begun, beginInTurn } = start(30);
  add('a', 10);
  await countBegun(begun, 10);
  expect(begun).toHaveLength(10);
  await setImmediate();
  expect(Array.from({ length: 4 }, () => beginInTurn('b'))).toEqual([undefined, undefined, undefined, undefined]);
});
