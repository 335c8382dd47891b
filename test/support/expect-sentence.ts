import { expect } from '@jest/globals';
import type { CommandResult } from './run-command.js';

/** Traces of the program in a message: stack frames of JavaScript, Rust and WebAssembly, source files, calls of Prisma. */
const FRAME = /^\s*at |panicked|\.[cm]?js\b|\.ts:|wasm|node:|invocation|\[object|SECURITY WARNING|DeprecationWarning/m;

/**
 * Expects that a command failed with nothing but a message of one line on stderr.
 * @param expectedCode 1 for a failure, 2 for wrong usage
 */
export function expectSentence({ code, stdout, stderr }: CommandResult, message: RegExp | string, expectedCode = 1): void {
  expect({ code, stdout }).toEqual({ code: expectedCode, stdout: '' });
  if (typeof message === 'string') expect(stderr).toBe(`${message}\n`);
  else expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).not.toMatch(FRAME);
}

/** Expects that the configuration was rejected, with one line for each wrong variable. */
export function expectWrongVariables({ code, stdout, stderr }: CommandResult, problems: readonly (RegExp | string)[]): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const [title, ...lines] = stderr.trimEnd().split('\n');
  expect(title).toBe('The configuration is not valid:');
  expect(lines).toEqual(
    problems.map((problem) => (typeof problem === 'string' ? `  ${problem}` : expect.stringMatching(problem))),
  );
  expect(stderr).not.toMatch(FRAME);
}
