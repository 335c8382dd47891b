import { afterEach, beforeEach, expect, jest } from '@jest/globals';

// The gateway writes to its log and a command to its streams; anything on the console is a warning nobody would see in production.
beforeEach(() => {
  jest.spyOn(console, 'error');
  jest.spyOn(console, 'warn');
});

afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
  jest.restoreAllMocks();
});
