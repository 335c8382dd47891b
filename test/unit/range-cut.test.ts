import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { combine } from '../../src/event-counts/combine-counts.js';
import type { AddedCell } from '../../src/event-counts/count-table.js';
import { keepTable, refine, settleTable } from '../../src/event-counts/kept-table.js';
import { type Bounds, findUnreadSpans } from '../../src/event-counts/range-cut.js';

const STARTS = [0, 100, 200, 300];

test.each([
  ['later in the bucket', 60, [[40, 60]]],
  ['at the same time', 40, []],
  ['earlier in the bucket', 30, [[0, 30]]],
  ['in another bucket', 140, [[100, 140]]],
  ['where a bucket begins', 100, []],
])('a range that begins %s → only events that the last cut lacks are read', (_, since, spans) => {
  const cut = { since: 40, numbers: new Map() };
  expect(findUnreadSpans({ starts: STARTS, cut }, { since, until: null })).toEqual(spans);
  expect(findUnreadSpans({ starts: STARTS, cut }, { since, until: 250 })).toEqual([...spans, [250, 300]]);
});

interface NewEvent {
  readonly at: number;
  readonly key: string | null;
}

const newEvent: fc.Arbitrary<NewEvent> = fc.record({
  at: fc.integer({ min: 0, max: 299 }),
  key: fc.constantFrom('a', 'b', null),
});
const step = fc.record({
  events: fc.array(newEvent, { maxLength: 4 }),
  /** The part of the events above the watermark that the next watermark includes. */
  settled: fc.constantFrom(0, 0.5, 1),
  since: fc.integer({ min: 0, max: 180 }),
  until: fc.option(fc.integer({ min: 181, max: 300 }), { nil: null }),
});

/** Groups events as the statement of `readAdded` does: no cell has events of two buckets. */
function toCells(events: readonly NewEvent[], age: AddedCell['age'], starts: readonly number[]): AddedCell[] {
  const groups = new Map<string, NewEvent[]>();
  for (const event of events) {
    const name = `${event.key} ${starts.findLastIndex((start) => start <= event.at)}`;
    groups.set(name, [...(groups.get(name) ?? []), event]);
  }
  return [...groups.values()].map((group) => {
    const times = group.map(({ at }) => at);
    return { key: group[0]?.key ?? null, age, count: group.length, first: Math.min(...times), last: Math.max(...times) };
  });
}

/** Counts the events of a range by group and bucket, one by one. */
function countNaively(events: readonly NewEvent[], ends: readonly number[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { at, key } of events) {
    if (at < (ends[0] ?? 0) || at >= (ends.at(-1) ?? 0)) continue;
    const name = `${key} ${ends.findLastIndex((end) => end <= at) + 1}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

test('moving ranges and watermarks, and events anywhere → the table, its cut and the cells give the counts of the range', () => {
  let reused = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
      const events: NewEvent[] = [];
      let table = keepTable({ keys: [], distinct: 0, first: null, last: null, epoch: 'e', server: 's' }, STARTS, true);
      let upTo = 0;
      for (const { events: added, settled, since, until } of steps) {
        events.push(...added);
        const bounds: Bounds = { since, until };
        const after = upTo;
        upTo += Math.floor((events.length - upTo) * settled);
        const starts = refine(table, bounds);
        const spans = findUnreadSpans(table, bounds);
        if (table.cut && spans.some(([from]) => from === table.cut?.since)) reused += 1;
        const old = events.slice(0, after);
        const cells = [
          ...toCells(events.slice(after, upTo), 'settled', starts),
          ...toCells(events.slice(upTo), 'new', starts),
          ...spans.flatMap(([from, to]) =>
            toCells(
              old.filter(({ at }) => at >= from && at < to),
              'old',
              [from],
            ),
          ),
        ];
        table = settleTable(table, cells, bounds);
        const ends = [since, ...STARTS.filter((start) => start > since && start < (until ?? 300)), until ?? 300];
        const buckets = { unit: 'day', interval: 'DAY', starts: ends } as const;
        const { keys } = combine({ table, cells, bounds, buckets, most: 9 });
        const found = keys.flatMap(({ key, buckets, counts }) =>
          counts.map((count, index) => [`${key} ${buckets[index]}`, count] as const).filter(([, count]) => count !== 0),
        );
        expect(new Map(found)).toEqual(countNaively(events, ends));
      }
    }),
    { seed: 20261128, numRuns: 100 },
  );
  expect(reused).toBeGreaterThan(100);
});
