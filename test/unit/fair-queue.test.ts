import { expect, test } from '@jest/globals';
import { createFairQueue, type Turn } from '../../src/limits/fair-queue.js';

const LIMITS = { total: 4, perCaller: 2, maxWaiting: 10 };

function start() {
  const enqueue = createFairQueue(LIMITS);
  const started: string[] = [];
  const running = new Map<string, Turn[]>();
  /** Enqueues a task, and records its caller once it has its turn. */
  const add = (caller: string, weight = 1): Turn => {
    const turn = enqueue(caller, weight);
    turn.started.then(
      () => {
        started.push(caller);
        running.set(caller, [...(running.get(caller) ?? []), turn]);
      },
      () => undefined,
    );
    return turn;
  };
  const endOne = async (caller: string) => {
    running.get(caller)?.shift()?.leave();
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
  add('a', 2);
  const left = add('a');
  add('a');
  left.leave();
  await expect(left.started).rejects.toMatchObject({ name: 'ClientClosedRequest' });
  await endOne('a');
  await settle();
  expect(started).toEqual(['a', 'a']);
});

test('too many waiting tasks of a caller → TooManyRequestsError; another caller is served', async () => {
  const { add, started, settle } = start();
  for (let n = 0; n < LIMITS.perCaller + LIMITS.maxWaiting; n += 1) add('a');
  expect(() => add('a')).toThrow('Too many requests of this API token are waiting.');
  add('b');
  await settle();
  expect(started).toContain('b');
});

test('a turn that is left twice → ends once', async () => {
  const { add, started, settle } = start();
  const first = add('a');
  add('a');
  add('a');
  add('a');
  first.leave();
  first.leave();
  await settle();
  expect(started).toEqual(['a', 'a', 'a']);
});

test('a client that leaves before a lighter task of its caller → the lighter one runs', async () => {
  const { add, started, settle } = start();
  add('a', 2);
  add('b', 1);
  const left = add('c', 2);
  add('c', 1);
  await settle();
  expect(started).toEqual(['a', 'b']);
  left.leave();
  await expect(left.started).rejects.toMatchObject({ name: 'ClientClosedRequest' });
  await settle();
  expect(started).toEqual(['a', 'b', 'c']);
});
