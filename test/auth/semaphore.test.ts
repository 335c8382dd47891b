import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createSemaphore } from '../../src/auth/semaphore.js';
import { startClock, stopClock } from '../support/clock.js';

const WAIT_MS = 1_000;

/** Works that end when they are told to, by name. */
function start(count: number) {
  const slots = createSemaphore(count);
  const began: string[] = [];
  /** What came of each, in the order in which it did. */
  const outcomes: string[] = [];
  const ends = new Map<string, () => void>();
  const run = async (...names: string[]) => {
    for (const name of names) {
      const work = () => {
        began.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      };
      slots.run(work, WAIT_MS).then(
        (result) => outcomes.push(result),
        (error: Error) => outcomes.push(`${name}: ${error.name}`),
      );
    }
    await settled();
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { began, outcomes, run, end };
}

/** After it, everything has happened that waits for no timer. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(startClock);
afterEach(stopClock);

describe('slots', () => {
  test('so many works run at a time; the others follow in their order, as soon as one ends', async () => {
    const { began, outcomes, run, end } = start(2);
    await run('a', 'b', 'c', 'd');
    expect(began).toEqual(['a', 'b']);
    await end('b');
    expect(began).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(began).toEqual(['a', 'b', 'c', 'd']);
    expect(outcomes).toEqual(['b', 'a']);
  });

  test('a slot is free again once its work is over, and only one', async () => {
    const { began, outcomes, run, end } = start(1);
    for (const name of ['a', 'b']) {
      await run(name);
      await end(name);
    }
    expect(outcomes).toEqual(['a', 'b']);
    await run('c', 'd');
    expect(began).toEqual(['a', 'b', 'c']);
  });

  test('a work that fails gives its slot back', async () => {
    const slots = createSemaphore(1);
    await expect(slots.run(() => Promise.reject(new Error('failed')), WAIT_MS)).rejects.toThrow('failed');
    const next = jest.fn(async () => undefined);
    void slots.run(next, WAIT_MS);
    await settled();
    expect(next).toHaveBeenCalled();
  });

  test('who waits too long → ServiceUnavailableError, and the work is never begun', async () => {
    const { began, outcomes, run, end } = start(1);
    await run('a', 'b');
    jest.advanceTimersByTime(WAIT_MS - 1);
    await run('c');
    expect(outcomes).toEqual([]);
    jest.advanceTimersByTime(1);
    await settled();
    expect(outcomes).toEqual(['b: ServiceUnavailableError']);
    await end('a');
    expect(began).toEqual(['a', 'c']);
  });

  test('whose turn has come waits no longer', async () => {
    const { outcomes, run, end } = start(1);
    await run('a', 'b');
    await end('a');
    jest.advanceTimersByTime(WAIT_MS);
    await end('b');
    expect(outcomes).toEqual(['a', 'b']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('who is refused is told to try again', async () => {
    const slots = createSemaphore(0);
    const refused = expect(slots.run(async () => undefined, WAIT_MS)).rejects.toThrow(/Try again/);
    jest.advanceTimersByTime(WAIT_MS);
    await refused;
  });
});
