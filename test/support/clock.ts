import { jest } from '@jest/globals';

/** Stops the clock: of timers, dates, signals that time out, and what measures. `jest.advanceTimersByTime` lets it go on. */
export function startClock(): void {
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  // The same object as before: caches keep hold of it from when they were loaded.
  jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
    return controller.signal;
  });
}

export function stopClock(): void {
  jest.useRealTimers();
}
