import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createDelay } from '../../src/event-feed/feed-delay.js';
import type { FeedEnd } from '../../src/event-feed/feed-end.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const toEnd = (id: number, highestId: number): FeedEnd => ({ server: 's', epoch: 'e', id, late: 0, log: { highestId, late: 0 } });

test('a log that always grows → the time since the first event that the feed lacks', () => {
  const delay = createDelay();
  expect(delay.since).toBeNull();
  delay.note(toEnd(1, 2));
  const first = performance.now();
  expect(delay.since).toBe(first);
  jest.advanceTimersByTime(1000);
  delay.note(toEnd(1, 3));
  expect(delay.since).toBe(first);
  delay.note(toEnd(2, 4));
  expect(delay.since).toBe(first + 1000);
  delay.note(toEnd(4, 4));
  expect(delay.since).toBeNull();
});

test('a log that is restored to lower ids while it grows → the time of the new log', () => {
  const delay = createDelay();
  delay.note(toEnd(100, 200));
  jest.advanceTimersByTime(1000);
  delay.note(toEnd(10, 20));
  expect(delay.since).toBe(performance.now());
  jest.advanceTimersByTime(1000);
  delay.note({ ...toEnd(10, 20), server: 'restarted' });
  expect(delay.since).toBe(performance.now());
});
