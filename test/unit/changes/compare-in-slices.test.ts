import { describe, expect, test } from '@jest/globals';
import { compareInSlices } from '../../../src/events/changes/compare-in-slices.js';
import { costOfComparison } from '../../../src/events/event-cost.js';

/** Longer than the gateway compares events before other requests get their turn. */
const LONG_MS = 11;

const slowEvent = (onCompare: () => void) => ({
  get changes() {
    const end = performance.now() + LONG_MS;
    while (performance.now() < end);
    onCompare();
    return null;
  },
});

const ignore = () => undefined;

describe('comparing the events of a page', () => {
  test('events that take long → other work and other callers between them', async () => {
    const order: string[] = [];
    const events = ['first', 'second'].map((name) => slowEvent(() => order.push(name)));
    setImmediate(() => order.push('other work'));
    await compareInSlices(events, async () => void order.push('other callers'), ignore);
    expect(order).toEqual(['first', 'other work', 'other callers', 'second', 'other callers']);
  });

  test('the request is aborted → the other events are not compared', async () => {
    const order: string[] = [];
    const events = ['first', 'second'].map((name) => slowEvent(() => order.push(name)));
    const aborted = new Error('The client closed the request.');
    await expect(compareInSlices(events, () => Promise.reject(aborted), ignore)).rejects.toBe(aborted);
    expect(order).toEqual(['first']);
  });
});

test.each([
  ['usual texts', [400, 600, 0], 3, 0],
  ['long texts', [10_000, 5_000], 2, 20 + 10 - 2 * 2],
  ['texts of events that the operation does not include', [1_000, 500], 0, 2 + 1],
])('the cost of comparing %s', (_, lengths, included, cost) => {
  expect(
    costOfComparison(
      lengths.map((comparedLength) => ({ comparedLength })),
      included,
    ),
  ).toBe(cost);
});
