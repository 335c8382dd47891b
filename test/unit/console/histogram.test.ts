import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  findBucket,
  limitsOf,
  markSelection,
  moveHandle,
  selectBetween,
  selectBucket,
  toTimes,
} from '../../../src/web/console/histogram/brush.js';
import {
  type CountedBucket,
  layOutHistogram,
  listCountLabels,
  listTimeLabels,
  markRange,
  toX,
} from '../../../src/web/console/histogram/histogram-model.js';
import { RUNS } from './random-filter.js';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-23T00:00:00Z');

/** Buckets of an hour from the beginning of a day in UTC. */
const hours = (...counts: readonly number[]): CountedBucket[] =>
  counts.map((count, index) => ({
    start: new Date(START + index * HOUR_MS).toISOString(),
    end: new Date(START + (index + 1) * HOUR_MS).toISOString(),
    count,
  }));

const SIZE = { width: 400, height: 100 };
const model = layOutHistogram(hours(0, 1, 30, 8_000), SIZE);
const empty = layOutHistogram([], SIZE);
const at = (hour: number) => new Date(START + hour * HOUR_MS);

/** A histogram with buckets of several lengths. */
const randomModel = fc
  .array(fc.record({ length: fc.integer({ min: 1, max: 40 * 24 * HOUR_MS }), count: fc.nat() }), { minLength: 1, maxLength: 60 })
  .map((drafts) => {
    let end = START;
    const buckets = drafts.map(({ length, count }) => {
      const start = end;
      end += length;
      return { start: new Date(start).toISOString(), end: new Date(end).toISOString(), count };
    });
    return layOutHistogram(buckets, SIZE);
  });

const randomSelection = randomModel.chain((drawn) =>
  fc.tuple(fc.nat(drawn.bars.length - 1), fc.nat(drawn.bars.length)).map(([from, length]) => ({
    drawn,
    selection: { from, to: Math.min(drawn.bars.length, from + 1 + length) },
  })),
);

describe('bars of the histogram', () => {
  test('counts → heights, with a minimum for a few events and none for zero', () => {
    expect(model.maxCount).toBe(8_000);
    expect(model.bars.map(({ x, y, width, height }) => [x, y, width, height])).toEqual([
      [0, 100, 100, 0],
      [100, 98, 100, 2],
      [200, 98, 100, 2],
      [300, 0, 100, 100],
    ]);
  });

  test.each([
    [0, 1],
    [1, 1],
    [3, 4],
    [41, 60],
    [99, 100],
    [1_000_001, 2_000_000],
  ])('the largest count %d → the scale ends at %d', (count, maxCount) => {
    expect(layOutHistogram(hours(count), SIZE).maxCount).toBe(maxCount);
  });

  test('labels of counts → zero, a half, the largest; without a half of one', () => {
    expect(listCountLabels(model)).toEqual([0, 4_000, 8_000]);
    expect(listCountLabels(empty)).toEqual([0, 1]);
  });

  test('any counts → bars within the drawing, in the order of their counts', () => {
    fc.assert(
      fc.property(randomModel, ({ bars, maxCount }) => {
        for (const { y, height, bucket } of bars) {
          expect(y + height).toBeCloseTo(SIZE.height);
          expect(height).toBeLessThanOrEqual(SIZE.height);
          expect(height > 0).toBe(bucket.count > 0);
          expect(bucket.count).toBeLessThanOrEqual(maxCount);
        }
        const byCount = [...bars].sort((one, other) => one.bucket.count - other.bucket.count).map(({ height }) => height);
        expect(byCount).toEqual([...byCount].sort((one, other) => one - other));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('times of the histogram', () => {
  const textsOf = (buckets: readonly CountedBucket[], timeZone: string, max: number) =>
    listTimeLabels(layOutHistogram(buckets, SIZE), timeZone, max).map(({ text }) => text);
  const bucketsOf = (...edges: readonly string[]) =>
    edges.slice(1).map((end, index) => ({ start: edges[index] ?? '', end, count: 1 }));

  test('hours → times of the zone, with the day at its beginning', () => {
    expect(textsOf(hours(1, 1, 1, 1), 'UTC', 4)).toEqual(['23 Nov, 00:00', '01:00', '02:00', '03:00']);
    expect(textsOf(hours(1, 1, 1, 1), 'America/Sao_Paulo', 4)).toEqual(['22 Nov, 21:00', '22:00', '23:00', '23 Nov']);
    expect(textsOf(hours(1, 1, 1, 1), 'UTC', 3)).toEqual(['23 Nov, 00:00', '02:00']);
  });

  test('days and months → dates and months', () => {
    expect(
      textsOf(bucketsOf('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', '2026-10-26T23:00:00Z'), 'Europe/Berlin', 9),
    ).toEqual(['25 Oct 2026', '26 Oct']);
    expect(textsOf(bucketsOf('2026-01-20T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'), 'UTC', 9)).toEqual([
      'Jan 2026',
      'Feb 2026',
    ]);
  });

  test('an instant → its place, or the closest end', () => {
    expect([at(-1), at(0), at(1.5), at(4), at(9)].map((time) => toX(model, time))).toEqual([0, 0, 150, 400, 400]);
    expect(toX(empty, at(0))).toBe(0);
  });

  test('a range in either direction → its mark; a range outside → none', () => {
    expect(markRange(model, at(1), at(2.5))).toEqual({ x: 100, width: 150 });
    expect(markRange(model, at(2.5), at(1))).toEqual({ x: 100, width: 150 });
    expect(markRange(model, at(3), at(30))).toEqual({ x: 300, width: 100 });
    expect(markRange(model, at(5), at(6))).toBeUndefined();
    expect(markRange(model, at(-2), at(-1))).toBeUndefined();
    expect(markRange(empty, at(0), at(1))).toBeUndefined();
  });
});

describe('brush of the histogram', () => {
  test('a place → its bucket', () => {
    expect([-1, 0, 99, 100, 399, 400].map((x) => findBucket(model, x))).toEqual([undefined, 0, 0, 1, 3, undefined]);
    expect(findBucket(empty, 5)).toBeUndefined();
  });

  test('two places → all buckets between them, at least one', () => {
    expect(selectBetween(model, 150, 210)).toEqual({ from: 1, to: 3 });
    expect(selectBetween(model, 210, 150)).toEqual({ from: 1, to: 3 });
    expect(selectBetween(model, 100, 100)).toEqual(selectBucket(1));
    expect(selectBetween(model, -50, 900)).toEqual({ from: 0, to: 4 });
    expect(selectBetween(model, 400, 500)).toEqual(selectBucket(3));
    expect(selectBetween(empty, 0, 10)).toBeUndefined();
  });

  test('a selection → its times and its mark', () => {
    expect(toTimes(model, { from: 1, to: 3 })).toEqual({ since: '2026-11-23T01:00:00.000Z', until: '2026-11-23T03:00:00.000Z' });
    expect(markSelection(model, { from: 1, to: 3 })).toEqual({ x: 100, width: 200 });
  });

  test('an end in a year that the API does not accept → left open', () => {
    const wide = layOutHistogram([{ start: '-000043-03-15T00:00:00.000Z', end: '+020000-01-01T00:00:00.000Z', count: 1 }], SIZE);
    expect(toTimes(wide, selectBucket(0))).toEqual({});
  });

  test('the times of any selection → the edges of its buckets, and the places of its mark', () => {
    fc.assert(
      fc.property(randomSelection, ({ drawn, selection }) => {
        const { since = '', until = '' } = toTimes(drawn, selection);
        expect([since, until].map((time) => drawn.edges.indexOf(Date.parse(time)))).toEqual([selection.from, selection.to]);
        const { x, width } = markSelection(drawn, selection);
        expect(toX(drawn, new Date(since))).toBeCloseTo(x);
        expect(toX(drawn, new Date(until))).toBeCloseTo(x + width);
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['from', 'ArrowRight', { from: 11, to: 20 }],
    ['from', 'ArrowDown', { from: 9, to: 20 }],
    ['to', 'ArrowUp', { from: 10, to: 21 }],
    ['to', 'ArrowLeft', { from: 10, to: 19 }],
    ['from', 'PageUp', { from: 14, to: 20 }],
    ['from', 'Home', { from: 0, to: 20 }],
    ['from', 'End', { from: 19, to: 20 }],
    ['to', 'Home', { from: 10, to: 11 }],
    ['to', 'End', { from: 10, to: 40 }],
    ['to', 'Enter', undefined],
    ['to', 'toString', undefined],
  ] as const)('the handle %s and the key %s → %j', (handle, key, expected) => {
    const forty = layOutHistogram(hours(...Array.from({ length: 40 }, () => 1)), SIZE);
    expect(moveHandle(forty, { from: 10, to: 20 }, handle, key)).toEqual(expected);
  });

  test('any keys → a selection of at least one bucket, within the limits of its handles', () => {
    const keys = fc.array(
      fc.tuple(fc.constantFrom('from', 'to'), fc.constantFrom('ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End')),
    );
    fc.assert(
      fc.property(randomSelection, keys, ({ drawn, selection }, moves) => {
        const moved = moves.reduce((before, [handle, key]) => moveHandle(drawn, before, handle, key) ?? before, selection);
        expect(moved.from).toBeLessThan(moved.to);
        for (const handle of ['from', 'to'] as const) {
          const [min, max] = limitsOf(drawn.bars.length, moved, handle);
          expect(moved[handle]).toBeGreaterThanOrEqual(min);
          expect(moved[handle]).toBeLessThanOrEqual(max);
        }
        expect(moved.from).toBeGreaterThanOrEqual(0);
        expect(moved.to).toBeLessThanOrEqual(drawn.bars.length);
      }),
      { numRuns: RUNS },
    );
  });
});
