import { jest } from '@jest/globals';
import pg from 'pg';

/**
 * Records the SQL that leaves this process from now until the test ends, on either database.
 * @returns a function that returns the statements so far that match `pattern`
 */
export function recordSql(): (pattern: RegExp) => string[] {
  const { mock } = jest.spyOn(pg.Client.prototype, 'query');
  // A second spy on the same method is the first spy, with its earlier calls.
  const before = mock.calls.length;
  const texts = () => (mock.calls as unknown[][]).slice(before).map(([query]) => textOf(query));
  return (pattern) => texts().filter((text) => pattern.test(text));
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
}
