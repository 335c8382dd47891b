import { expect, test } from '@jest/globals';
import { createSlots } from '../../src/limits/slots.js';

const LIMITS = { perCaller: 2, total: 3 };

test('a slot that is given back twice → counts once, for its caller and in total', () => {
  const slots = createSlots(LIMITS, 'streams');
  const giveBack = slots.take('a');
  slots.take('a');
  giveBack();
  giveBack();
  expect(slots.count()).toBe(1);
  slots.take('a');
  expect(() => slots.take('a')).toThrow('You have 2 streams open, which is the limit. Close one of them.');
  slots.take('b');
  expect(() => slots.take('c')).toThrow('This gateway has as many streams open as it can serve. Try again later.');
  expect(slots.count()).toBe(3);
});

test('no slot → 429 of the limit of requests, which says when to try again', () => {
  const slots = createSlots({ perCaller: 1, total: 0 }, 'streams');
  expect(() => slots.take('a')).toThrow(
    expect.objectContaining({ name: 'TooManyRequestsError', status: 429, limit: 'request', retryAfterSeconds: 5 }),
  );
});
