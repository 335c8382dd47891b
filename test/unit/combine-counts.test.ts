import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { combine } from '../../src/event-counts/combine-counts.js';
import type { AddedCell, CountedKey } from '../../src/event-counts/count-table.js';
import { keepTable } from '../../src/event-counts/kept-table.js';

const BOUNDS = { since: null, until: null };

/** Groups in the order of a response, so that those of equal size stay in this order. `\uffff` is before the emoji in UTF-8. */
const KEYS = ['', 'a', 'b', 'c', '\uffff', '😀', null];

const sizes = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: KEYS.length, maxLength: KEYS.length });

const keysOf = (numbers: readonly number[]): CountedKey[] =>
  KEYS.map((key, index) => ({ key, isRest: false, buckets: [0], counts: [numbers[index] ?? 0] })).reverse();

test('groups of the table and new events → the largest groups, ties by their keys, and the sum of all others', () => {
  fc.assert(
    fc.property(sizes, sizes, fc.integer({ min: 1, max: 8 }), (kept, added, most) => {
      const table = keepTable({ keys: keysOf(kept), distinct: 0, first: null, last: null, epoch: 'e', server: 's' }, [], false);
      const cells = KEYS.map((key, index): AddedCell => ({ key, age: 'new', count: added[index] ?? 0, first: 5, last: 5 }));
      const expected = KEYS.map((key, index) => ({ key, count: (kept[index] ?? 0) + (added[index] ?? 0) }))
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count);
      const rest = expected.slice(most);

      const { keys, distinct } = combine({ table, cells, bounds: BOUNDS, buckets: null, most });

      expect(distinct).toBe(expected.length);
      expect(keys.filter(({ isRest }) => !isRest).map(({ key, counts }) => ({ key, count: counts[0] }))).toEqual(
        expected.slice(0, most),
      );
      expect(keys.filter(({ isRest }) => isRest).map(({ counts }) => counts)).toEqual(
        rest.length > 0 ? [[rest.reduce((sum, { count }) => sum + count, 0)]] : [],
      );
    }),
    { seed: 20261127, numRuns: 200 },
  );
});
