import { beforeEach, expect, test } from '@jest/globals';
import { createConnectionHold } from '../../src/limits/connection-hold.js';

let now: number;
let hold: ReturnType<typeof createConnectionHold>;
beforeEach(() => {
  now = 1_000;
  hold = createConnectionHold(() => now);
});

/** Ends a turn of the event loop that accepted a connection. @returns whether a hold is in progress */
function endTurnWithConnection(): boolean {
  hold.noteConnection();
  return hold.endTurn();
}

test('turns without connections → never a hold', () => {
  expect([hold.isHolding(), hold.endTurn(), hold.isHolding()]).toEqual([false, false, false]);
  // A turn without connections does not delay a later hold.
  hold.noteConnection();
  expect(hold.isHolding()).toBe(true);
});

test('a connection → a hold from this turn on, until a turn without a connection ends', () => {
  hold.noteConnection();
  expect(hold.isHolding()).toBe(true);
  expect([hold.endTurn(), hold.isHolding()]).toEqual([true, true]);
  expect([endTurnWithConnection(), hold.isHolding()]).toEqual([true, true]);
  expect([hold.endTurn(), hold.isHolding()]).toEqual([false, false]);
});

test('connections in each turn → requests are held for less than 100 ms', () => {
  endTurnWithConnection();
  now += 99;
  expect([endTurnWithConnection(), hold.isHolding()]).toEqual([true, true]);
  now += 1;
  expect([endTurnWithConnection(), hold.isHolding()]).toEqual([true, false]);
});

test.each([
  [30, 30],
  [99, 99],
  [250, 100],
])('after a hold of %d ms → no other hold for %d ms', (heldMs, pauseMs) => {
  endTurnWithConnection();
  now += heldMs;
  expect(endTurnWithConnection()).toBe(true);
  expect(hold.endTurn()).toBe(false);
  now += pauseMs - 1;
  hold.noteConnection();
  expect([hold.isHolding(), hold.endTurn(), hold.isHolding()]).toEqual([false, false, false]);
  now += 1;
  hold.noteConnection();
  expect([hold.isHolding(), hold.endTurn(), hold.isHolding()]).toEqual([true, true, true]);
});
