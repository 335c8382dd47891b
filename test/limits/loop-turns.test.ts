import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLoopTurns } from '../../src/limits/loop-turns.js';

/**
 * Begins requests of callers, and records the order in which they began.
 * @param toMs returns how long the request with this number keeps the event loop busy, or is that time for each of them
 */
function start(toMs: number | ((n: number) => number) = 0) {
  let now = 0;
  const { beginInTurn, holdForConnection } = createLoopTurns(() => now);
  const begun: string[] = [];
  const add = async (caller: string) => {
    await beginInTurn(caller);
    now += typeof toMs === 'number' ? toMs : toMs(begun.length);
    begun.push(caller);
  };
  return {
    begun,
    add: (caller: string, count = 1) => void Array.from({ length: count }, () => add(caller)),
    beginInTurn,
    /** Accepts a connection, and lets time pass. */
    connect(ms: number) {
      holdForConnection();
      now += ms;
    },
  };
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

test('many short requests of one caller → four of them begin in each turn of the event loop, until all have begun', async () => {
  const { begun, add } = start(0.25);
  add('a', 14);
  expect(await countBegun(begun, 6)).toEqual([4, 4, 8, 12, 14, 14]);
});

test('long requests of one caller, also after short ones → one of them begins in each turn', async () => {
  const { begun, add } = start((n) => (n < 6 ? 0.25 : 30));
  add('a', 10);
  expect(await countBegun(begun, 7)).toEqual([4, 4, 7, 8, 9, 10, 10]);
});

test('a caller with many requests and others with one → those of the others begin before its further ones', async () => {
  const { begun, add } = start(30);
  add('a', 6);
  add('b');
  add('c');
  await countBegun(begun, 8);
  expect(begun).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'c', 'a']);
});

test('long requests of a caller, and short ones of another → one of the former and three of the latter begin in each turn', async () => {
  const { begun, add } = start((n) => (begun.length < 4 || beginsLong(n) ? 30 : 0.25));
  const beginsLong = (n: number) => n % 4 === 0;
  add('a', 8);
  add('b', 9);
  await countBegun(begun, 8);
  expect(begun.slice(4)).toEqual(['a', 'b', 'b', 'b', 'a', 'b', 'b', 'b', 'a', 'b', 'b', 'b', 'a']);
});

test('a new connection in each turn → no request begins meanwhile, and all begin after the last connection', async () => {
  const { begun, add, connect } = start(0.25);
  for (let turn = 0; turn < 20; turn += 1) {
    connect(4);
    add('a');
    await setImmediate();
    expect(begun).toEqual([]);
  }
  await countBegun(begun, 10);
  expect(begun).toHaveLength(20);
});

test('new connections for more than 100 ms → requests begin nevertheless', async () => {
  const { begun, add, connect } = start(0.25);
  for (let turn = 0; turn < 6; turn += 1) {
    connect(30);
    add('a', 5);
    await setImmediate();
  }
  expect(begun.length).toBeGreaterThan(0);
});

test('new connections with a short gap after each hold → requests begin for as long as they were held', async () => {
  const { begun, add, connect } = start(1);
  const counts: number[] = [];
  for (let turn = 0; turn < 80; turn += 1) {
    add('a', 2);
    if (turn % 10 < 9) connect(10);
    await setImmediate();
    counts.push(begun.length);
  }
  const turnsWithBeginnings = counts.filter((count, turn) => count > (counts[turn - 1] ?? 0)).length;
  expect(turnsWithBeginnings).toBeGreaterThan(20);
});

test('requests after a pause → four of them begin at once again', async () => {
  const { add, begun, beginInTurn } = start(30);
  add('a', 10);
  await countBegun(begun, 10);
  expect(begun).toHaveLength(10);
  await setImmediate();
  expect(Array.from({ length: 5 }, () => beginInTurn('b'))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    expect.any(Promise),
  ]);
});

test('requests that arrive while others begin → none is forgotten', async () => {
  const { add, begun } = start(1);
  for (let turn = 0; turn < 10; turn += 1) {
    add('a', 7);
    await setImmediate();
  }
  await countBegun(begun, 30);
  expect(begun).toHaveLength(70);
});
