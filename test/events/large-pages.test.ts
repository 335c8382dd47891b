import { expect, test } from '@jest/globals';
import { EVENT_FIELDS, Event } from '../../src/events/event.js';
import { cutEvents, toMaxCharacters } from '../../src/events/large-pages.js';

/** The number of characters of `data`, and of `preData`. */
const LENGTH = 1_000;

const createEvent = () =>
  new Event(EVENT_FIELDS.map((field) => (field === 'data' || field === 'preData' ? `"${'x'.repeat(LENGTH - 2)}"` : null)));
const events = Array.from({ length: 6 }, createEvent);

/** The weights of a response that contains `data` once. */
const WEIGHTS = { short: 300, data: 1, preData: 0, tags: 0, changes: 0 };

const cut = (weights: Partial<typeof WEIGHTS>, maxCharacters: number, isCut = false) => {
  const page = cutEvents({ events, isCut }, { weights: { ...WEIGHTS, ...weights }, maxCharacters });
  expect(page.events).toEqual(events.slice(0, page.events.length));
  return [page.events.length, page.isCut];
};

test.each([
  ['all events fit', {}, 6 * 1_300, [6, false]],
  ['the last event begins at the limit', {}, 5 * 1_300, [6, false]],
  ['the last event begins after the limit', {}, 5 * 1_300 - 1, [5, true]],
  ['the first event exceeds the limit', {}, 1, [1, true]],
  ['a text twice, which halves the limit', { data: 2 }, 2 * 4 * 2_300, [5, true]],
  ['changes, which compare both texts', { data: 0, changes: 1 }, 3 * 2_300, [4, true]],
])('%s → the events up to the first that begins after the limit', (_, weights, maxCharacters, expected) => {
  expect(cut(weights, maxCharacters)).toEqual(expected);
});

test('events that were left out while they were read → the page stays cut', () => {
  expect(cut({}, 6 * 1_300, true)).toEqual([6, true]);
});

test('a page without weights → as it was read', () => {
  for (const isCut of [true, false]) expect(cutEvents({ events, isCut }, { weights: null })).toEqual({ events, isCut });
});

test('a page at an offset → rejected if events were left out, with the number of those that fit', () => {
  expect(() => cutEvents({ events, isCut: true }, undefined)).toThrow(
    /^The page is larger .* Set limit to 6: the first 6 events fit\.$/,
  );
  expect(cutEvents({ events, isCut: false }, undefined)).toEqual({ events, isCut: false });
});

test('the size after which no event is read → that of the page; 4 million by default, and 12 million at an offset', () => {
  expect(toMaxCharacters({ weights: { ...WEIGHTS, tags: 3 }, maxCharacters: 300 })).toBe(300);
  expect(toMaxCharacters({ weights: null })).toBe(4 * 1024 * 1024);
  expect(toMaxCharacters(undefined)).toBe(12 * 1024 * 1024);
});
