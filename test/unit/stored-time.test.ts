import { expect, test } from '@jest/globals';
import { isStoredTime, toWireTime } from '../../src/formats/stored-time.js';

test.each([
  ['2026-12-31T23:59:59.123456Z', '2026-12-31T23:59:59.123Z'],
  ['0001-01-01T00:00:00.000000Z', '0001-01-01T00:00:00.000Z'],
  ['20000-01-01T00:00:00.000999Z AD', '+020000-01-01T00:00:00.000Z'],
  ['0001-12-31T23:59:59.999999Z BC', '+000000-12-31T23:59:59.999Z'],
  ['0044-03-15T12:00:00.000000Z BC', '-000043-03-15T12:00:00.000Z'],
  ['4713-01-01T00:00:00.000000Z BC', '-004712-01-01T00:00:00.000Z'],
  ['294276-12-31T23:59:59.999999Z AD', '+275760-09-13T00:00:00.000Z'],
  ['infinity', '+275760-09-13T00:00:00.000Z'],
  ['-infinity', '-271821-04-20T00:00:00.000Z'],
])('the stored time %s → %s on the wire', (stored, wire) => {
  expect(isStoredTime(stored)).toBe(true);
  expect(toWireTime(stored)).toBe(wire);
  expect(Number.isNaN(Date.parse(wire))).toBe(false);
});

test.each(['', '2026-12-31', '2026-12-31T23:59:59Z', 'Infinity', '20000-01-01T00:00:00.000000Z'])(
  '%j → not a stored time',
  (text) => {
    expect(isStoredTime(text)).toBe(false);
  },
);
