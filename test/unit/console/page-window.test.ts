import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  appendPage,
  countLoaded,
  cursorOf,
  EMPTY_WINDOW,
  hasMore,
  PAGE_SIZE,
  pagesFor,
  startsDay,
} from '../../../src/web/console/timeline/page-window.js';

const dayOf = (createdAt: string) => createdAt.slice(0, 10);

/** Loads all pages of a list, as the list does. */
function load(times: readonly string[]) {
  let window = EMPTY_WINDOW;
  for (let page = 0; cursorOf(window, page) !== undefined; page += 1) {
    const edges = times.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map((createdAt, index) => ({
      cursor: String(page * PAGE_SIZE + index),
      node: { createdAt },
    }));
    window = appendPage(window, { edges, hasMore: times.length > (page + 1) * PAGE_SIZE }, dayOf);
  }
  return window;
}

const times = fc
  .array(fc.integer({ min: 0, max: 40 * 86_400_000 }), { maxLength: 4 * PAGE_SIZE })
  .map((all) => all.sort((one, other) => other - one).map((ms) => new Date(ms).toISOString()));

describe('the pages of the event list', () => {
  test('all pages → each event has its place, and a day begins where the day before it differs', () => {
    fc.assert(
      fc.property(times, (all) => {
        const window = load(all);
        expect([countLoaded(window), hasMore(window)]).toEqual([all.length, false]);
        for (const [index, time] of all.entries()) {
          expect(startsDay(window, index)).toBe(index === 0 || dayOf(time) !== dayOf(all[index - 1] ?? ''));
        }
      }),
    );
  });

  test('a page begins after the last event of the one before it', () => {
    const window = load(Array.from({ length: 2 * PAGE_SIZE + 1 }, () => '2026-11-23T00:00:00.000Z'));
    expect([0, 1, 2, 3].map((page) => cursorOf(window, page))).toEqual([null, '49', '99', undefined]);
  });

  test('the rows in view → their pages, and the next one near the end', () => {
    const window = load(Array.from({ length: 6 * PAGE_SIZE }, () => '2026-11-23T00:00:00.000Z'));
    expect(pagesFor(window, 0, 10)).toEqual([0]);
    expect(pagesFor(window, 60, 90)).toEqual([1, 2]);
    expect(pagesFor(window, 260, 299)).toEqual([5]);
    expect(pagesFor(EMPTY_WINDOW, 0, 0)).toEqual([0]);
  });
});
