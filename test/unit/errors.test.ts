import { expect, test } from '@jest/globals';
import { Problems } from '../../src/errors.js';

test('problems with long names → a message of at most 2,000 characters that counts the others; at most 100 details', () => {
  const problems = new Problems();
  for (let index = 0; index < 300; index += 1) problems.add(`${index}${'😀'.repeat(500)}`, 'is not a field of this request');
  const { message, details } = problems.toError();
  const named = message.match(/is not a field/g)?.length ?? 0;
  expect(message.length).toBeLessThanOrEqual(2_000);
  expect(message.endsWith(`and ${300 - named} more problems`)).toBe(true);
  expect(details).toHaveLength(100);
  for (const { path } of details) {
    expect(path.length).toBeLessThanOrEqual(100);
    expect(path.isWellFormed()).toBe(true);
  }
});
