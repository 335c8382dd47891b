import { afterEach, beforeEach, expect, jest } from '@jest/globals';

// The gateway writes to its log, and commands write to their streams. Console output is a warning that nobody sees in production.
beforeEach(() => {
  jest.spyOn(console, 'error');
  jest.spyOn(console, 'warn');
});

afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
  jest.restoreAllMocks();
});
