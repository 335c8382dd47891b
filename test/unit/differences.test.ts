import { expect, test } from '@jest/globals';
// @ts-expect-error: a script without types of its own
import { readReasons } from '../../conformance/differences.mjs';

test('docs/differences.md has a line for each difference that is known to the conformance runner, and no other', async () => {
  const reasons: Map<string, string> = await readReasons();
  expect(reasons.size).toBeGreaterThan(10);
  expect([...reasons.values()].every((what) => what !== '')).toBe(true);
});
