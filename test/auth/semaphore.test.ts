import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createSemaphore } from '../../src/auth/semaphore.js';
import { installFakeClock, removeFakeClock } from '../support/clock.js';

const WAIT_MS = 1_000;

/** Starts named tasks that run until the test ends them. */
function start(count: number) {
  const semaphore = createSemaphore(count);
  const started: string[] = [];
  /** The result or error of each task, in the order of completion. */
  const outcomes: string[] = [];
  const ends = new Map<string, () => void>();
  const run = async (...names: string[]) => {
    for (const name of names) {
      const task = () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      };
      semaphore.run(task, WAIT_MS).then(
        (result) => outcomes.push(result),
        (error: Error) => outcomes.push(`${name}: ${error.name}`),
      );
    }
    await idle();
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await idle();
  };
  return { started, outcomes, run, end };
}

/** Waits until everything that needs no timer has run. */
const idle = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(installFakeClock);
afterEach(removeFakeClock);

describe('semaphore', () => {
  test('more tasks than the limit → the others start in order, as soon as one ends', async () => {
    const { started, outcomes, run, end } = start(2);
    await run('a', 'b', 'c', 'd');
    expect(started).toEqual(['a', 'b']);
    await end('b');
    expect(started).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    expect(outcomes).toEqual(['b', 'a']);
  });

  test('a task ends → exactly one waiting task starts', async () => {
    const { started, outcomes, run, end } = start(1);
    for (const name of ['a', 'b']) {
      await run(name);
      await end(name);
    }
    expect(outcomes).toEqual(['a', 'b']);
    await run('c', 'd');
    expect(started).toEqual(['a', 'b', 'c']);
  });

  test('a task fails → the next one starts', async () => {
    const semaphore = createSemaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('failed')), WAIT_MS)).rejects.toThrow('failed');
    const next = jest.fn(async () => undefined);
    void semaphore.run(next, WAIT_MS);
    await idle();
    expect(next).toHaveBeenCalled();
  });

  test('a task waits too long → ServiceUnavailableError, and it never starts', async () => {
    const { started, outcomes, run, end } = start(1);
    await run('a', 'b');
    jest.advanceTimersByTime(WAIT_MS - 1);
    await run('c');
    expect(outcomes).toEqual([]);
    jest.advanceTimersByTime(1);
    await idle();
    expect(outcomes).toEqual(['b: ServiceUnavailableError']);
    await end('a');
    expect(started).toEqual(['a', 'c']);
  });

  test('a waiting task starts → its timeout is cleared', async () => {
    const { outcomes, run, end } = start(1);
    await run('a', 'b');
    await end('a');
    jest.advanceTimersByTime(WAIT_MS);
    await end('b');
    expect(outcomes).toEqual(['a', 'b']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a wait times out → the error says to try again', async () => {
    const semaphore = createSemaphore(0);
    const rejected = expect(semaphore.run(async () => undefined, WAIT_MS)).rejects.toThrow(/Try again/);
    jest.advanceTimersByTime(WAIT_MS);
    await rejected;
  });
});
