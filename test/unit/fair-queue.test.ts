import { expect, test } from '@jest/globals';
import { createFairQueue } from '../../src/limits/fair-queue.js';

const LIMITS = { total: 4, perCaller: 2, maxWaiting: 10 };

/** Starts a task, and records its caller once it has its turn. */
function start() {
  const takeTurn = createFairQueue(LIMITS);
  const started: string[] = [];
  const ends = new Map<string, (() => void)[]>();
  const add = (caller: string, weight = 1, signal = new AbortController().signal) =>
    takeTurn(caller, weight, signal).then((end) => {
      started.push(caller);
      ends.set(caller, [...(ends.get(caller) ?? []), end]);
    });
  const endOne = async (caller: string) => {
    ends.get(caller)?.shift()?.();
    await new Promise(setImmediate);
  };
  return { add, started, endOne, settle: () => new Promise(setImmediate) };
}

test('a caller with many tasks → only its share runs; another one starts at once', async () => {
  const { add, started, settle } = start();
  for (let n = 0; n < 8; n += 1) void add('a');
  void add('b');
  await settle();
  expect(started).toEqual(['a', 'a', 'b']);
});

test('waiting callers → served in turns', async () => {
  const { add, started, endOne, settle } = start();
  for (const caller of ['a', 'b']) for (let n = 0; n < 4; n += 1) void add(caller);
  for (let n = 0; n < 2; n += 1) void add('c');
  await settle();
  expect(started).toEqual(['a', 'a', 'b', 'b']);
  await endOne('a');
  await endOne('a');
  await endOne('b');
  expect(started.slice(4)).toEqual(['c', 'a', 'b']);
});

test('a task that weighs more than the share of a caller → runs alone', async () => {
  const { add, started, endOne, settle } = start();
  void add('a', 20);
  void add('a');
  await settle();
  expect(started).toEqual(['a']);
  await endOne('a');
  expect(started).toEqual(['a', 'a']);
});

test('a client that leaves while it waits → ClientClosedRequest, and the next one runs', async () => {
  const { add, started, endOne, settle } = start();
  const leaving = new AbortController();
  void add('a', 2);
  const left = add('a', 1, leaving.signal);
  void add('a');
  leaving.abort();
  await expect(left).rejects.toMatchObject({ name: 'ClientClosedRequest' });
  await endOne('a');
  await settle();
  expect(started).toEqual(['a', 'a']);
});

test('too many waiting tasks of a caller → TooManyRequestsError; another caller is served', async () => {
  const { add, started, settle } = start();
  for (let n = 0; n < LIMITS.perCaller + LIMITS.maxWaiting; n += 1) void add('a');
  await expect(add('a')).rejects.toMatchObject({ name: 'TooManyRequestsError' });
  void add('b');
  await settle();
  expect(started).toContain('b');
});
