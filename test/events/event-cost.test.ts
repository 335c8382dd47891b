import { expect, test } from '@jest/globals';
import { costOfFeature, costOfSearch } from '../../src/events/event-cost.js';

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
