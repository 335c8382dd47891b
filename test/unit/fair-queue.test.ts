import { expect, test } from '@jest/globals';
import { createFairQueue } from '../../src/limits/fair-queue.js';

const LIMITS = { total: 4, perCaller: 2, maxWaiting: 10 };

function start() {
  const inTurn = createFairQueue(LIMITS);
  const started: string[] = [];
  const ends = new Map<string, (() => void)[]>();
  /** Adds a task, and records its caller once it has its turn. */
  const add = (caller: string, weight = 1, signal = new AbortController().signal): Promise<void> => {
    const done = inTurn(caller, weight > 1, signal, () => {
      started.push(caller);
      return new Promise<void>((resolve) => ends.set(caller, [...(ends.get(caller) ?? []), resolve]));
    });
    done.catch(() => undefined);
    return done;
  };
  const endOne = async (caller: string) => {
    ends.get(caller)?.shift()?.();
    await new Promise(setImmediate);
  };
  return { add, started, endOne, settle: () => new Promise(setImmediate) };
}

test('a caller with many tasks → only its share runs; another one starts at once', async () => {
  const { add, started, settle } = start();
  for (let n = 0; n < 8; n += 1) add('a');
  add('b');
  await settle();
  expect(started).toEqual(['a', 'a', 'b']);
});

test('waiting callers → served in turns', async () => {
  const { add, started, endOne, settle } = start();
  for (const caller of ['a', 'b']) for (let n = 0; n < 4; n += 1) add(caller);
  for (let n = 0; n < 2; n += 1) add('c');
  await settle();
  expect(started).toEqual(['a', 'a', 'b', 'b']);
  await endOne('a');
  await endOne('a');
  await endOne('b');
  expect(started.slice(4)).toEqual(['c', 'a', 'b']);
});

test('a task that weighs more than the share of a caller → runs alone', async () => {
  const { add, started, endOne, settle } = start();
  add('a', 20);
  add('a');
  await settle();
  expect(started).toEqual(['a']);
  await endOne('a');
  expect(started).toEqual(['a', 'a']);
});

test('a client that leaves while it waits → ClientClosedRequest, and the next one runs', async () => {
  const { add, started, endOne, settle } = start();
  const leaving = new AbortController();
  add('a', 2);
  const left = add('a', 1, leaving.signal);
  add('a');
  leaving.abort();
  await expect(left).rejects.toMatchObject({ name: 'ClientClosedRequest' });
  await settle();
  await endOne('a');
  await settle();
  expect(started).toEqual(['a', 'a']);
});

test('a client that has left before → ClientClosedRequest, and nothing is kept', async () => {
  const { add, started, settle } = start();
  await expect(add('a', 1, AbortSignal.abort())).rejects.toMatchObject({ name: 'ClientClosedRequest' });
  add('a');
  await settle();
  expect(started).toEqual(['a']);
});

test('a task that fails → its turn ends', async () => {
  const inTurn = createFairQueue({ total: 1, perCaller: 1, maxWaiting: 1 });
  const { signal } = new AbortController();
  await expect(inTurn('a', false, signal, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await inTurn('a', false, signal, async () => 'done')).toBe('done');
});

test('too many waiting tasks of a caller → TooManyRequestsError; another caller is served', async () => {
  const { add, started, settle } = start();
  for (let n = 0; n < LIMITS.perCaller + LIMITS.maxWaiting; n += 1) add('a');
  await expect(add('a')).rejects.toMatchObject({ name: 'TooManyRequestsError' });
  add('b');
  await settle();
  expect(started).toContain('b');
});

test('a client that leaves before a lighter task of its caller → the lighter one runs', async () => {
  const { add, started, settle } = start();
  const leaving = new AbortController();
  add('a', 2);
  add('b', 1);
  const left = add('c', 2, leaving.signal);
  add('c', 1);
  await settle();
  expect(started).toEqual(['a', 'b']);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ name: 'ClientClosedRequest' });
  await settle();
  expect(started).toEqual(['a', 'b', 'c']);
});

test('two callers with a steady stream of light tasks → a heavy task of a third one starts after a few of them', async () => {
  const { add, started, endOne, settle } = start();
  for (let n = 0; n < 4; n += 1) for (const caller of ['a', 'b']) add(caller);
  await settle();
  add('c', 2);
  for (let ended = 0; ended < 4 && !started.includes('c'); ended += 1) {
    const caller = ended % 2 === 0 ? 'a' : 'b';
    add(caller);
    await endOne(caller);
  }
  expect(started).toContain('c');
});
