import { expect, test } from '@jest/globals';
import {
  costOfComparison,
  costOfCounts,
  costOfFeature,
  costOfRows,
  costOfSearch,
  costOfStreamPage,
  maxCostOfRows,
} from '../../src/events/event-cost.js';

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
  ['rows to count', { grouped: 1500 }, 100],
  ['further events of a flag', { returned: 3000 }, 3000],
  ['all of them', { skipped: 200, grouped: 45, compared: 1000, lookedUp: 11, returned: 1 }, 2 + 3 + 50 + 1 + 1],
])('rows that are read for %s → their cost', (_, rows, cost) => {
  expect(costOfRows(rows)).toBe(cost);
});

test.each([
  ['a total', {}, 10],
  ['buckets', { interval: 'DAY' }, 10 + 50],
  ['groups', { by: 'TYPE' }, 10 + 50],
  ['buckets of groups', { filter: {}, interval: 'DAY', by: 'TYPE' }, 10 + 50 + 50],
  ['a total of a text', { filter: { query: 'x' } }, 50],
  ['buckets of a text', { filter: { query: 'x' }, interval: 'DAY' }, 50 + 50],
])('counts with %s → their cost', (_, args, cost) => {
  expect(costOfCounts({ args, childComplexity: 3 })).toBe(cost);
});

test.each([
  ['no events', [], 0, 0],
  ['as many characters as the operation covers', [500, 1500], 2, 0],
  ['more characters than the operation covers', [500, 4500], 2, 10 - 4],
  ['part of a unit', [999], 0, 1],
])('a comparison of %s → its cost', (_, lengths, included, cost) => {
  const events = lengths.map((comparedLength) => ({ comparedLength }));
  expect(costOfComparison(events, included)).toBe(cost);
});

test('a further page of a stream → the cost of a search and of each event', () => {
  expect(costOfStreamPage(0)).toBe(10);
  expect(costOfStreamPage(250)).toBe(260);
});

test('the rows of one search → at most a quarter of the budget; without a budget, no limit', () => {
  expect(maxCostOfRows(10_001)).toBe(2_500);
  expect(maxCostOfRows(0)).toBe(Number.POSITIVE_INFINITY);
});
