import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toDecimalKey } from '../../src/events/changes/decimal.js';
import { findChanges } from '../../src/events/changes/find-changes.js';
import { findMoved } from '../../src/events/changes/moved-elements.js';
import { applyChanges, findByPointer, parseExactly, toExactNumber, withoutOrderOfSets } from '../support/apply-changes.js';
import { randomRuns } from '../support/random-runs.js';
import { randomNumber, randomStates } from '../support/random-states.js';

const options = { numRuns: randomRuns(5_000), seed: Number(process.env.RANDOM_INPUT_SEED ?? 20261123) };

describe('changes of random pairs of documents', () => {
  test('complete → applying the items to preData gives data', () => {
    fc.assert(
      fc.property(randomStates, ([preData, data]) => {
        const { items, complete } = findChanges(preData, data);
        if (!complete) return expect(items).toHaveLength(200);
        expect(withoutOrderOfSets(applyChanges(parseExactly(preData), items))).toEqual(withoutOrderOfSets(parseExactly(data)));
      }),
      options,
    );
  });

  test('no items → exactly if the documents are equal', () => {
    fc.assert(
      fc.property(randomStates, ([preData, data]) => {
        const areEqual =
          JSON.stringify(sorted(withoutOrderOfSets(parseExactly(preData)))) ===
          JSON.stringify(sorted(withoutOrderOfSets(parseExactly(data))));
        expect(findChanges(preData, data).items.length === 0).toBe(areEqual);
        expect(findChanges(data, data)).toEqual({ items: [], complete: true });
      }),
      options,
    );
  });

  test('each pointer → the value before or after, in the document it is about', () => {
    fc.assert(
      fc.property(randomStates, ([preData, data]) => {
        for (const { kind, pointer, before, after } of findChanges(preData, data).items) {
          const found = findByPointer(parseExactly(kind === 'REMOVED' ? preData : data), pointer);
          if (kind === 'REMOVED') expect([found, after]).toEqual([parseExactly(before?.text ?? ''), null]);
          else if (kind === 'MOVED') expect(pointer.endsWith(`/${after?.text}`)).toBe(true);
          else expect(found).toEqual(parseExactly(after?.text ?? ''));
          if (kind === 'ADDED') expect(before).toBeNull();
        }
      }),
      options,
    );
  });
});

test('two numbers → the same key exactly if their decimal values are equal', () => {
  fc.assert(
    fc.property(randomNumber, randomNumber, (one, other) => {
      expect(toDecimalKey(one) === toDecimalKey(other)).toBe(toExactNumber(one) === toExactNumber(other));
      expect(toDecimalKey(one)).toBe(toDecimalKey(rewritten(one)));
    }),
    { ...options, numRuns: randomRuns(20_000) },
  );
});

test('any order → the unmoved elements are a longest ascending subsequence', () => {
  const order = fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 40 });
  fc.assert(
    fc.property(order, (positions) => {
      const moved = findMoved(positions);
      const staying = positions.filter((_, index) => !moved.has(index));
      expect(staying).toEqual([...staying].sort((a, b) => a - b));
      expect(staying).toHaveLength(longestAscending(positions));
    }),
    options,
  );
});

/** Writes a number another way: with a zero at the end of the fraction, and a lower exponent. */
function rewritten(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const shifted = BigInt(exponent.replace('+', '')) - 2n;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${fraction}00`;
  return `${whole}${digits.slice(0, 2)}.${digits.slice(2)}0e${shifted}`;
}

/** Returns the length of the longest ascending subsequence in quadratic time. */
function longestAscending(positions: readonly number[]): number {
  const lengths: number[] = [];
  for (const [index, position] of positions.entries())
    lengths.push(1 + Math.max(0, ...lengths.filter((_, before) => before < index && (positions[before] ?? 0) < position)));
  return Math.max(0, ...lengths);
}

/** Turns objects into sorted entries. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { entries: entries.map(([key, member]) => [key, sorted(member)]) };
}
