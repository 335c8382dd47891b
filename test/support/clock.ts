import { jest } from '@jest/globals';

/** Stops timers, dates, `AbortSignal.timeout` and `performance.now`. Only `jest.advanceTimersByTime` moves the time. */
export function installFakeClock(): void {
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  // Replaces the method and not the object: caches keep a reference to the object from when they were loaded.
  jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
    return controller.signal;
  });
}

export function removeFakeClock(): void {
  jest.useRealTimers();
}
