import { expect, test } from '@jest/globals';
import { costOfFeature, costOfSearch } from '../../src/events/event-cost.js';

test.each([
  ['the page asked for by its limit', { limit: 7 }, 10 + 7 * 3],
  ['the first events', { first: 8 }, 10 + 8 * 3],
  ['the last events', { first: null, last: 9 }, 10 + 9 * 3],
  ['no page, which is one of fifty', {}, 10 + 50 * 3],
  ['an empty page', { first: 0 }, 10],
  ['a page of a negative size', { first: -5 }, 10],
  ['a page beyond the largest', { limit: 5000 }, 10 + 1000 * 3],
  ['a filter without text', { filter: {}, limit: 1 }, 10 + 3],
  ['an empty text', { filter: { query: '' }, limit: 1 }, 10 + 3],
  ['a text', { filter: { query: 'x' }, limit: 1 }, 50 + 3],
])('%s: what a search costs', (_, args, cost) => {
  expect(costOfSearch({ args, childComplexity: 3 })).toBe(cost);
});

test('all events of a flag cost what the largest page does', () => {
  expect(costOfFeature({ args: {}, childComplexity: 3 })).toBe(costOfSearch({ args: { limit: 1000 }, childComplexity: 3 }));
});
