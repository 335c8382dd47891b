import { expect, test } from '@jest/globals';
import { toCsvRecord } from '../../src/log-export/csv.js';

/** Texts of up to this length are converted in a buffer. */
const BUFFERED = 32 * 1024;

test.each([
  ['quotes alone', '"'],
  ['quotes and letters', 'a"'],
  ['characters of two bytes', 'é"'],
  ['characters of three bytes', '€€"'],
  ['characters of four bytes', '😀"'],
  ['unpaired surrogates', '\ud800"\udc00a'],
  ['three bytes in each character', '€'],
  ['unpaired surrogates alone', '\ud800'],
])('%s, in short and in long texts → a cell with each quote doubled', (_, part) => {
  for (const length of [1, 100, BUFFERED - 1, BUFFERED, BUFFERED + 1, 3 * BUFFERED]) {
    const text = `${part.repeat(length).slice(0, length - 1)}"`;
    const record = toCsvRecord(JSON.stringify({ createdBy: text }), false);
    const cell = text.split('"').join('""');
    expect(Buffer.from(record).equals(Buffer.from(`,,,"${cell}",,,,,,,\r\n`))).toBe(true);
  }
});
