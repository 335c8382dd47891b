import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromPostgresTime, isStoredTime, toStoredTime, toWireTime } from '../../src/formats/stored-time.js';
import { DateTimeISO, storedTimeToJson } from '../../src/graphql/date-time-iso.js';

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

test.each([
  '0000-01-01T00:00:00.000000Z BC',
  '0000-01-01T00:00:00.000000Z AD',
  '',
  '2026-12-31',
  '2026-12-31T23:59:59Z',
  'Infinity',
  '20000-01-01T00:00:00.000000Z',
])('%j → not a stored time', (text) => {
  expect(isStoredTime(text)).toBe(false);
});

test.each(['', '2026-12-31', '2026-12-31T23:59:59.123Z', '+020000-01-01T00:00:00.000Z', '20000-01-01T00:00:00.000000Z'])(
  '%j → null, because it is not the text of a stored time',
  (text) => {
    expect(toWireTime(text)).toBeNull();
  },
);

test.each([
  ['2026-12-31T23:59:59.123Z', '2026-12-31T23:59:59.123Z'],
  ['2026-12-31T23:59:59+02:00', '2026-12-31T21:59:59.000Z'],
  ['+020000-01-01T00:00:00.000Z', '20000-01-01T00:00:00.000Z AD'],
  ['+000000-02-29T00:00:00.000Z', '0001-02-29T00:00:00.000Z BC'],
  ['0000-02-29T00:00:00.000Z', '0001-02-29T00:00:00.000Z BC'],
  ['-000043-03-15T12:00:00.000Z', '0044-03-15T12:00:00.000Z BC'],
  ['-004713-11-24T00:00:00.000Z', '4714-11-24T00:00:00.000Z BC'],
  ['+275760-09-13T00:00:00.000Z', '275760-09-13T00:00:00.000Z AD'],
])('%s on the wire → the stored time %s', (wire, stored) => {
  expect(toStoredTime(wire)).toBe(stored);
  expect(isStoredTime(stored.replace('Z', '000Z'))).toBe(true);
});

test.each([
  '',
  '2026-12-31',
  '2026-02-29T00:00:00Z',
  '+002026-01-01T00:00:00.000Z',
  '+020000-02-30T00:00:00.000Z',
  '+020000-01-01T24:00:00.000Z',
  '-004713-11-23T00:00:00.000Z',
  '+300000-01-01T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  'infinity',
])('%j → no time of the wire that can be stored', (text) => {
  expect(toStoredTime(text)).toBeNull();
});

test.each([
  ['2026-12-31 23:59:59.123456+00', '2026-12-31T23:59:59.123456Z'],
  ['2026-12-31 23:59:59.12+00', '2026-12-31T23:59:59.120000Z'],
  ['2026-12-31 23:59:59+00', '2026-12-31T23:59:59.000000Z'],
  // A column without a zone.
  ['2026-12-31 23:59:59.5', '2026-12-31T23:59:59.500000Z'],
  ['10000-01-01 00:00:00.12345+00', '10000-01-01T00:00:00.123450Z AD'],
  ['0044-03-15 00:00:00+00 BC', '0044-03-15T00:00:00.000000Z BC'],
  ['infinity', 'infinity'],
  ['-infinity', '-infinity'],
])('%s of PostgreSQL → %s', (text, stored) => {
  expect(fromPostgresTime(text)).toBe(stored);
  expect(isStoredTime(stored)).toBe(true);
});

/** Times as PostgreSQL writes them, which omits zeros at the end of a fraction. */
const postgresTime = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
    fc.integer({ min: 0, max: 999_999 }),
  )
  .map(([date, microseconds]) => {
    const seconds = date.toISOString().slice(0, '2026-12-31T23:59:59'.length);
    const fraction = `.${String(microseconds).padStart(6, '0')}`;
    return {
      text: `${seconds.replace('T', ' ')}${fraction.replace(/\.?0+$/, '')}+00`,
      stored: `${seconds}${fraction}Z`,
      wire: `${seconds}${fraction.slice(0, 4)}Z`,
    };
  });

test('any time of PostgreSQL in the years 0001 to 9999 → its stored form and its JSON', () => {
  fc.assert(
    fc.property(postgresTime, ({ text, stored, wire }) => {
      expect(fromPostgresTime(text)).toBe(stored);
      expect(storedTimeToJson(fromPostgresTime(text))).toBe(JSON.stringify(wire));
    }),
  );
});

const value = fc.oneof(
  postgresTime.map(({ stored }) => stored),
  fc.constantFrom('infinity', '-infinity', '20000-01-01T00:00:00.000999Z AD', '0044-03-15T12:00:00.000000Z BC'),
  fc.string(),
  fc.date(),
  fc.integer(),
);

test('any value → null, or the same JSON as that of the serialized value', () => {
  fc.assert(
    fc.property(value, (anyValue) => {
      const json = storedTimeToJson(anyValue);
      if (json !== null) expect(json).toBe(JSON.stringify(DateTimeISO.serialize(anyValue)));
      else if (typeof anyValue === 'string') expect(() => DateTimeISO.serialize(anyValue)).toThrow(TypeError);
    }),
  );
});
