import { describe, expect, test } from '@jest/globals';
import { createLiveState, describeLive, type LiveSignal, reduceLive } from '../../../src/web/console/live/live-state.js';

const NOW = 1_000_000;
const stateAfter = (...signals: readonly LiveSignal[]) => signals.reduce(reduceLive, createLiveState(NOW));
const upToDate: LiveSignal = { kind: 'progress', upToDate: true, at: NOW };
const event = (id: number): LiveSignal => ({ kind: 'event', id });

describe('the state of the live events in words', () => {
  test.each<[string, readonly LiveSignal[], boolean]>([
    ['Connecting', [], false],
    ['Live', [upToDate], false],
    ['Live', [upToDate, event(1)], false],
    ['Paused', [upToDate], true],
    ['Paused: 2 new', [upToDate, event(1), event(2), event(2)], true],
    ['Paused', [upToDate, event(1), { kind: 'shown' }], true],
    ['Reconnecting', [upToDate, { kind: 'connection', connection: { kind: 'reconnecting' } }], true],
    ['Live is off', [{ kind: 'connection', connection: { kind: 'off' } }], false],
    ['Live is not available', [{ kind: 'connection', connection: { kind: 'refused', reason: 'No.' } }], false],
    ['Behind by 40 s', [upToDate, { kind: 'progress', upToDate: false, at: NOW + 1_000 }], false],
    ['Live', [upToDate, { kind: 'progress', upToDate: false, at: NOW }, upToDate], false],
  ])('%s', (words, signals, isPaused) => {
    expect(describeLive(stateAfter(...signals), isPaused, NOW + 40_000)).toBe(words);
  });

  test('a delay of a second → not mentioned', () => {
    expect(describeLive(stateAfter(upToDate, { kind: 'progress', upToDate: false, at: NOW }), false, NOW + 1_000)).toBe('Live');
  });
});
