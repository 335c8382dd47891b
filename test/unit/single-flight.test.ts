import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { shareNext, startSingleFlight } from '../../src/log-version/single-flight.js';

/** Starts work that ends when the test finishes it, or when it is aborted. */
function start() {
  let finish = (_: string) => {};
  const work = startSingleFlight<string>(
    (signal) =>
      new Promise((resolve, reject) => {
        finish = resolve;
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  );
  return { work, finish: (result: string) => finish(result) };
}

test('one of two callers leaves → the work continues; both leave → it is aborted', async () => {
  const { work } = start();
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [work.join(first.signal), work.join(second.signal)].map((result) =>
    result.catch(({ message }: Error) => message),
  );
  first.abort();
  expect(work.isAbandoned).toBe(false);
  second.abort();
  expect(work.isAbandoned).toBe(true);
  expect(await Promise.all(waiting)).toEqual(['aborted', 'aborted']);
});

test('a caller without a signal → the work is never aborted', async () => {
  const { work, finish } = start();
  const other = new AbortController();
  const staying = work.join(undefined);
  const leaving = work.join(other.signal);
  other.abort();
  finish('done');
  expect(await Promise.all([staying, leaving])).toEqual(['done', 'done']);
  expect(work.isAbandoned).toBe(false);
});

test('a caller that left before it joined → the work is aborted', async () => {
  const { work } = start();
  const gone = AbortSignal.abort();
  await expect(work.join(gone)).rejects.toThrow('aborted');
});

test('calls during a run of shareNext → share the next run; calls before it share the first one', async () => {
  const ends: (() => void)[] = [];
  let runs = 0;
  const read = shareNext(() => {
    runs += 1;
    const run = runs;
    return new Promise<number>((resolve, reject) => ends.push(() => (run === 2 ? reject(new Error('failed')) : resolve(run))));
  });
  const first = [read(), read()];
  await setImmediate();
  await setImmediate();
  expect(runs).toBe(1);
  const second = [read(), read()].map((result) => result.catch(({ message }: Error) => message));
  await setImmediate();
  expect(runs).toBe(1);
  ends[0]?.();
  expect(await Promise.all(first)).toEqual([1, 1]);
  await setImmediate();
  await setImmediate();
  ends[1]?.();
  expect(await Promise.all(second)).toEqual(['failed', 'failed']);
  const third = read();
  await setImmediate();
  await setImmediate();
  ends[2]?.();
  expect([await third, runs]).toEqual([3, 3]);
});

test('a run of shareNext that never ends → a later call starts another run', async () => {
  let runs = 0;
  const read = shareNext(() => {
    runs += 1;
    return runs === 1 ? new Promise<number>(() => undefined) : Promise.resolve(runs);
  }, 20);
  void read();
  await setImmediate();
  await setImmediate();
  expect(runs).toBe(1);
  expect(await read()).toBe(2);
});
