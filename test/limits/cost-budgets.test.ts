import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createCostBudgets } from '../../src/limits/cost-budgets.js';
import { createProcessLimiters } from '../../src/limits/limiter.store.js';
import { startClock, stopClock } from '../support/clock.js';

const MINUTE_MS = 60_000;

/** Gateways that count in one place. */
function startGateways(count: number, perMinute: number) {
  const limiter = createProcessLimiters({ name: 'cost', points: perMinute, seconds: 60 });
  const consume = jest.spyOn(limiter, 'consume');
  return { consume, gateways: Array.from({ length: count }, () => createCostBudgets(() => limiter, perMinute)) };
}

const start = (perMinute: number) => createCostBudgets(createProcessLimiters, perMinute);

beforeEach(startClock);
afterEach(stopClock);

describe('the budget of a caller', () => {
  test('is counted down to its end, which refuses without spending', async () => {
    const { spend } = start(100);
    const resetMs = MINUTE_MS;
    expect(await spend('a', 60)).toEqual({ isEnough: true, budget: { limit: 100, remaining: 40, resetMs } });
    expect(await spend('a', 41)).toEqual({ isEnough: false, budget: { limit: 100, remaining: 40, resetMs } });
    expect(await spend('a', 40)).toEqual({ isEnough: true, budget: { limit: 100, remaining: 0, resetMs } });
    expect(await spend('a', 1)).toMatchObject({ isEnough: false });
    expect(await spend('b', 100)).toMatchObject({ isEnough: true });
  });

  test('begins anew each minute', async () => {
    const { spend } = start(100);
    await spend('a', 100);
    jest.advanceTimersByTime(MINUTE_MS - 1);
    expect(await spend('a', 1)).toMatchObject({ isEnough: false, budget: { resetMs: 1 } });
    jest.advanceTimersByTime(1);
    expect(await spend('a', 100)).toMatchObject({ isEnough: true, budget: { remaining: 0, resetMs: MINUTE_MS } });
  });

  test('is taken to its end by what is owed', async () => {
    const { spend } = start(100);
    await spend('a', 60);
    expect(await spend('a', 41, true)).toMatchObject({ isEnough: false, budget: { remaining: 0 } });
    expect(await spend('a', 1)).toMatchObject({ isEnough: false });
  });

  test('is known to be spent, until the minute ends', async () => {
    const { spend, findSpent } = start(100);
    expect(findSpent('a')).toBeNull();
    await spend('a', 99);
    expect(findSpent('a')).toBeNull();
    await spend('a', 1);
    jest.advanceTimersByTime(MINUTE_MS - 1);
    expect(findSpent('a')).toEqual({ limit: 100, remaining: 0, resetMs: 1 });
    expect(findSpent('b')).toBeNull();
    jest.advanceTimersByTime(1);
    expect(findSpent('a')).toBeNull();
  });

  test('where it is 0, there is no limit', async () => {
    const { spend } = start(0);
    expect(await spend('a', 1_000_000)).toBeNull();
  });

  test('what costs nothing takes nothing', async () => {
    expect(await start(1).spend('a', 0)).toEqual({
      isEnough: true,
      budget: { limit: 1, remaining: 1, resetMs: MINUTE_MS },
    });
  });
});

describe('over several gateways', () => {
  test('never more is spent than it has, and less by no more than a share of each', async () => {
    const costs = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 30 })), { minLength: 100, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500 }), costs, async (perMinute, requests) => {
        const { gateways } = startGateways(3, perMinute);
        const spent = await Promise.all(
          requests.map(async ([at, cost]) => ((await gateways[at]?.spend('a', cost))?.isEnough ? cost : 0)),
        );
        const sum = spent.reduce((total, cost) => total + cost, 0);
        const asked = requests.reduce((total, [, cost]) => total + cost, 0);

        expect(sum).toBeLessThanOrEqual(perMinute);
        // The last one refused of each gateway would have fitted otherwise, with what its share still holds.
        expect(sum).toBeGreaterThanOrEqual(Math.min(asked, perMinute - 3 * (30 + Math.ceil(perMinute / 50))));
      }),
      { numRuns: 50 },
    );
  });

  test('one knows of another by what is left when it asks', async () => {
    const { gateways } = startGateways(2, 100);
    await gateways[0]?.spend('a', 70);
    expect(await gateways[1]?.spend('a', 10)).toMatchObject({ isEnough: true, budget: { remaining: 20 } });
    expect(await gateways[1]?.spend('a', 21)).toMatchObject({ isEnough: false });
  });

  test('a share is claimed at a time, for many requests; and what one costs beyond what is held', async () => {
    const { consume, gateways } = startGateways(1, 10_000);
    await Promise.all(Array.from({ length: 40 }, () => gateways[0]?.spend('a', 4)));
    expect(consume.mock.calls).toEqual([['a', 200]]);
    await gateways[0]?.spend('a', 500);
    expect(consume).toHaveBeenLastCalledWith('a', 460);
  });

  test('who counts them being away fails, and is asked again the next time', async () => {
    const limiter = new RateLimiterMemory({ points: 100, duration: 60 });
    jest.spyOn(limiter, 'consume').mockRejectedValueOnce(new Error('away'));
    const { spend } = createCostBudgets(() => limiter, 100);
    await expect(spend('a', 1)).rejects.toThrow('away');
    expect(await spend('a', 1)).toMatchObject({ isEnough: true });
  });
});
