import { expect, test } from '@jest/globals';
import { readReasons } from '../../conformance/differences.mjs';

test('docs/differences.md → exactly one line for each difference that the conformance runner knows', async () => {
  const reasons: Map<string, string> = await readReasons();
  expect(reasons.size).toBeGreaterThan(10);
  expect([...reasons.values()].every((reason) => reason !== '')).toBe(true);
});
