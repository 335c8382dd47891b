import { expect, test } from '@jest/globals';
import { readReasons } from '../../conformance/differences.mjs';

test('docs/differences.md has a line for each difference that is known to the conformance runner, and no other', async () => {
  const reasons: Map<string, string> = await readReasons();
  expect(reasons.size).toBeGreaterThan(10);
  expect([...reasons.values()].every((what) => what !== '')).toBe(true);
});
