import { describe, expect, test } from '@jest/globals';
import { createLiveState, describeLive, type LiveSignal, reduceLive } from '../../../src/web/console/live/live-state.js';

const NOW = 1_000_000;
const stateAfter = (...signals: readonly LiveSignal[]) => signals.reduce(reduceLive, createLiveState(NOW));
const upToDate: LiveSignal = { kind: 'progress', upToDate: true, hasAdvanced: false, at: NOW };
const behind = (at: number, hasAdvanced = false): LiveSignal => ({ kind: 'progress', upToDate: false, hasAdvanced, at });
const events = (...ids: readonly number[]): LiveSignal => ({ kind: 'events', ids });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the state of the live events in words', () => {
  test.each<[string, readonly LiveSignal[], boolean]>([
    ['Connecting', [], false],
    ['Live', [upToDate], false],
    ['Live', [upToDate, events(1)], false],
    ['Paused', [upToDate], true],
    ['Paused: 2 new', [upToDate, events(1, 2), events(2)], true],
    ['Paused', [upToDate, events(1), { kind: 'shown' }], true],
    ['Reconnecting', [upToDate, { kind: 'connection', connection: { kind: 'reconnecting' } }], true],
    ['Live is off', [{ kind: 'connection', connection: { kind: 'off' } }], false],
    ['Live is not available', [{ kind: 'connection', connection: { kind: 'refused', reason: 'No.' } }], false],
    ['Behind by 40 s', [upToDate, behind(NOW + 1_000)], false],
    ['Live', [upToDate, behind(NOW), upToDate], false],
    ['Live', [upToDate, behind(NOW + 38_000, true)], false],
    ['Behind by 10 s', [upToDate, behind(NOW + 30_000, true), behind(NOW + 39_000)], false],
    ['Paused: 999 new', [upToDate, events(...numbers(999))], true],
    ['Paused: 1,000+ new', [upToDate, events(...numbers(999)), events(...numbers(5_000)), events(9_000)], true],
    ['Connecting', [upToDate, events(1), { kind: 'started', at: NOW }], true],
    ['Paused', [upToDate, events(1), { kind: 'started', at: NOW }, upToDate], true],
  ])('%s', (words, signals, isPaused) => {
    expect(describeLive(stateAfter(...signals), isPaused, NOW + 40_000)).toBe(words);
  });

  test('a delay of a second → not mentioned', () => {
    expect(describeLive(stateAfter(upToDate, behind(NOW)), false, NOW + 1_000)).toBe('Live');
  });
});
