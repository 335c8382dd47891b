import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createCostBudgets } from '../../src/limits/budgets.js';
import { createProcessLimiters } from '../../src/limits/limiter.store.js';
import { installFakeClock, removeFakeClock } from '../support/clock.js';

const MINUTE_MS = 60_000;

/** Creates the budgets of several gateways that share one limiter. */
function startGateways(count: number, perMinute: number) {
  const limiter = createProcessLimiters({ name: 'cost', points: perMinute, seconds: 60 });
  const consume = jest.spyOn(limiter, 'consume');
  return { consume, gateways: Array.from({ length: count }, () => createCostBudgets(() => limiter, perMinute)) };
}

const start = (perMinute: number) => createCostBudgets(createProcessLimiters, perMinute);

beforeEach(installFakeClock);
afterEach(removeFakeClock);

describe('the budget of a caller', () => {
  test('spent → counted down; a cost beyond the rest → rejected without spending', async () => {
    const { spend } = start(100);
    const resetMs = MINUTE_MS;
    expect(await spend('a', 60)).toEqual({ isEnough: true, budget: { limit: 100, remaining: 40, resetMs } });
    expect(await spend('a', 41)).toEqual({ isEnough: false, budget: { limit: 100, remaining: 40, resetMs } });
    expect(await spend('a', 40)).toEqual({ isEnough: true, budget: { limit: 100, remaining: 0, resetMs } });
    expect(await spend('a', 1)).toMatchObject({ isEnough: false });
    expect(await spend('b', 100)).toMatchObject({ isEnough: true });
  });

  test('the next minute → full again', async () => {
    const { spend } = start(100);
    await spend('a', 100);
    jest.advanceTimersByTime(MINUTE_MS - 1);
    expect(await spend('a', 1)).toMatchObject({ isEnough: false, budget: { resetMs: 1 } });
    jest.advanceTimersByTime(1);
    expect(await spend('a', 100)).toMatchObject({ isEnough: true, budget: { remaining: 0, resetMs: MINUTE_MS } });
  });

  test('a continuation beyond the rest → the rest is spent', async () => {
    const { spend } = start(100);
    await spend('a', 60);
    expect(await spend('a', 41, true)).toMatchObject({ isEnough: false, budget: { remaining: 0 } });
    expect(await spend('a', 1)).toMatchObject({ isEnough: false });
  });

  test('spent completely → findSpent returns it until the minute ends', async () => {
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

  test('a budget of 0 → no limit', async () => {
    const { spend } = start(0);
    expect(await spend('a', 1_000_000)).toBeNull();
  });

  test('a cost of 0 → nothing is spent', async () => {
    expect(await start(1).spend('a', 0)).toEqual({
      isEnough: true,
      budget: { limit: 1, remaining: 1, resetMs: MINUTE_MS },
    });
  });
});

describe('a budget over several gateways', () => {
  test('any costs → never more than the budget, and at most one share of each gateway less', async () => {
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
        // Each gateway can hold a share that is not spent, and can have rejected a cost that is larger than the share.
        expect(sum).toBeGreaterThanOrEqual(Math.min(asked, perMinute - 3 * (30 + Math.ceil(perMinute / 50))));
      }),
      { numRuns: 50 },
    );
  });

  test('one gateway has spent some → the other sees less when it claims', async () => {
    const { gateways } = startGateways(2, 100);
    await gateways[0]?.spend('a', 70);
    expect(await gateways[1]?.spend('a', 10)).toMatchObject({ isEnough: true, budget: { remaining: 20 } });
    expect(await gateways[1]?.spend('a', 21)).toMatchObject({ isEnough: false });
  });

  test('many requests → one claim of a share; a larger cost → a claim of the difference', async () => {
    const { consume, gateways } = startGateways(1, 10_000);
    await Promise.all(Array.from({ length: 40 }, () => gateways[0]?.spend('a', 4)));
    expect(consume.mock.calls).toEqual([['a', 200]]);
    await gateways[0]?.spend('a', 500);
    expect(consume).toHaveBeenLastCalledWith('a', 460);
  });

  test('the limiter fails → an error; the next request claims again', async () => {
    const limiter = new RateLimiterMemory({ points: 100, duration: 60 });
    jest.spyOn(limiter, 'consume').mockRejectedValueOnce(new Error('unavailable'));
    const { spend } = createCostBudgets(() => limiter, 100);
    await expect(spend('a', 1)).rejects.toThrow('unavailable');
    expect(await spend('a', 1)).toMatchObject({ isEnough: true });
  });
});
