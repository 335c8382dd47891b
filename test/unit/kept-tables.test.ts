import { expect, test } from '@jest/globals';
import type { KeptTable } from '../../src/event-counts/kept-table.js';
import { createKeptTables, findMostGroups } from '../../src/event-counts/kept-tables.js';

test.each([0, 40, 400])('a table with %s starts and the most groups, all of them cut → cached', (length) => {
  const starts = Array.from({ length }, (_, index) => index);
  const keys = Array.from({ length: findMostGroups(starts) }, (_, index) => String(index));
  const row = new Uint32Array(length + 1);
  const numbers = new Map(keys.map((key) => [key, row]));
  const cut = { since: 0, numbers: new Map(keys.map((key) => [key, 1])) };
  const value: KeptTable = { starts, isBounded: true, numbers, cut, first: 0, last: 0 };
  const tables = createKeptTables();
  tables.set('key', { value, upTo: 1, epoch: 'e', server: 's' });
  expect(tables.findRecent('key')).toBe(value);
});
