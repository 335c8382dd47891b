import { expect, test } from '@jest/globals';
import { costOfFeature, costOfRows, costOfSearch } from '../../src/events/event-cost.js';

test.each([
  ['a limit', { limit: 7 }, 10 + 7 * 3],
  ['first', { first: 8 }, 10 + 8 * 3],
  ['last', { first: null, last: 9 }, 10 + 9 * 3],
  ['no page size, which means 50', {}, 10 + 50 * 3],
  ['an empty page', { first: 0 }, 10],
  ['a negative page size', { first: -5 }, 10],
  ['a page size beyond the maximum', { limit: 5000 }, 10 + 1000 * 3],
  ['a filter without text', { filter: {}, limit: 1 }, 10 + 3],
  ['an empty text', { filter: { query: '' }, limit: 1 }, 10 + 3],
  ['a text', { filter: { query: 'x' }, limit: 1 }, 50 + 3],
])('a search with %s → its cost', (_, args, cost) => {
  expect(costOfSearch({ args, childComplexity: 3 })).toBe(cost);
});

test('all events of a flag → the cost of the largest page', () => {
  expect(costOfFeature({ args: {}, childComplexity: 3 })).toBe(costOfSearch({ args: { limit: 1000 }, childComplexity: 3 }));
});

test.each([
  ['an offset', { skipped: 90_000 }, 900],
  ['few rows to compare, which the cost of a text includes', { compared: 500 }, 0],
  ['many rows to compare', { compared: 200_000 }, 20_000 - 50],
  ['ten values, which the cost of a search includes', { lookedUp: 10 }, 0],
  ['many values', { lookedUp: 500 }, 490],
  ['further events of a flag', { returned: 3000 }, 3000],
  ['all of them', { skipped: 200, compared: 1000, lookedUp: 11, returned: 1 }, 2 + 50 + 1 + 1],
])('rows that are read for %s → their cost', (_, rows, cost) => {
  expect(costOfRows(rows)).toBe(cost);
});
