import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createSlots } from '../../src/auth/slots.js';
import { startClock, stopClock } from '../support/clock.js';

const WAIT_MS = 1_000;

/** Works that end when they are told to, by name, in the order in which they began. */
function createWorks(slots: ReturnType<typeof createSlots>) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string): Promise<string> =>
    slots.run(() => {
      began.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    }, WAIT_MS);
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { began, run, end };
}

/** After it, everything has happened that waits for no timer. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(startClock);
afterEach(stopClock);

describe('slots', () => {
  test('so many works run at a time; the others follow in their order, as soon as one ends', async () => {
    const { began, run, end } = createWorks(createSlots(2));
    const results = Promise.all(['a', 'b', 'c', 'd'].map(run));
    await settled();
    expect(began).toEqual(['a', 'b']);
    await end('b');
    expect(began).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(began).toEqual(['a', 'b', 'c', 'd']);
    await end('c');
    await end('d');
    expect(await results).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a slot is free again once all works are over, and no more than there were', async () => {
    const { began, run, end } = createWorks(createSlots(1));
    for (const name of ['a', 'b']) {
      const result = run(name);
      await settled();
      await end(name);
      expect(await result).toBe(name);
    }
    const results = [run('c'), run('d')];
    await settled();
    expect(began).toEqual(['a', 'b', 'c']);
    await end('c');
    await end('d');
    await Promise.all(results);
  });

  test('a work that fails gives its slot back', async () => {
    const slots = createSlots(1);
    await expect(slots.run(() => Promise.reject(new Error('failed')), WAIT_MS)).rejects.toThrow('failed');
    expect(await slots.run(async () => 'next', WAIT_MS)).toBe('next');
  });

  test('who waits too long → ServiceUnavailableError, and the work is never begun', async () => {
    const { began, run, end } = createWorks(createSlots(1));
    const first = run('a');
    await settled();
    const second = run('b');
    const refused = expect(second).rejects.toMatchObject({
      name: 'ServiceUnavailableError',
      message: expect.stringMatching(/Try again/),
    });
    jest.advanceTimersByTime(WAIT_MS);
    await refused;
    const third = run('c');
    await end('a');
    expect(began).toEqual(['a', 'c']);
    await end('c');
    expect(await Promise.all([first, third])).toEqual(['a', 'c']);
  });

  test('whose turn has come waits no longer', async () => {
    const { run, end } = createWorks(createSlots(1));
    const results = [run('a'), run('b')];
    await settled();
    expect(jest.getTimerCount()).toBe(1);
    await end('a');
    expect(jest.getTimerCount()).toBe(0);
    await end('b');
    await Promise.all(results);
  });
});
