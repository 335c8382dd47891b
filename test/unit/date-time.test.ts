import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isCalendarDate, parseDateTime } from '../../src/formats/date-time.js';

const FIRST = new Date('0001-01-01T00:00:00.000Z');
const LAST = new Date('9999-12-31T23:59:59.999Z');
const instant = fc.date({ min: FIRST, max: LAST, noInvalidDate: true });
const pad = (value: number, width = 2) => String(value).padStart(width, '0');

/** Returns the number of days in a month. */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

describe('RFC 3339 date-times', () => {
  test('an instant in ISO form, in upper or lower case → that instant', () => {
    fc.assert(
      fc.property(instant, (date) => {
        expect(parseDateTime(date.toISOString())).toEqual(date);
        expect(parseDateTime(date.toISOString().toLowerCase())).toEqual(date);
      }),
    );
  });

  test('an instant with any offset → that instant', () => {
    const far = fc.date({ min: new Date('0001-01-03T00:00:00Z'), max: new Date('9999-12-29T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(far, fc.integer({ min: -1439, max: 1439 }), (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const sign = offset < 0 ? '-' : '+';
        const zone = `${sign}${pad(Math.trunc(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;

        expect(parseDateTime(`${local}${zone}`)).toEqual(date);
      }),
    );
  });

  test('digits after the milliseconds → cut off; missing digits → zero', () => {
    fc.assert(
      fc.property(instant, fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 12 }), (date, digits) => {
        const seconds = date.toISOString().slice(0, 19);
        const expected = new Date(`${seconds}.${digits.padEnd(3, '0').slice(0, 3)}Z`);

        expect(parseDateTime(`${seconds}.${digits}Z`)).toEqual(expected);
      }),
    );
  });

  test('any text → null or an instant that can be stored', () => {
    const shape = fc
      .tuple(
        ...[9999, 20, 40, 30, 70, 70].map((max) => fc.nat({ max })),
        fc.constantFrom('Z', 'z', '+00:00', '-24:00', '+23:60', '', '+0100', ' Z'),
      )
      .map(
        ([year, month, day, h, m, s, zone]) =>
          `${pad(year as number, 4)}-${pad(month as number)}-${pad(day as number)}T${pad(h as number)}:${pad(m as number)}:${pad(s as number)}${zone}`,
      );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), shape), (text) => {
        const date = parseDateTime(text);
        if (date === null) return;
        expect(date.getTime()).toBeGreaterThanOrEqual(FIRST.getTime());
        expect(date.getTime()).toBeLessThanOrEqual(LAST.getTime());
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    '2026-12-31',
    '2026-12-31T23:59:59',
    '2026-12-31 23:59:59Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-12-31T24:00:00Z',
    '2026-12-31T23:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-12-31T23:59:59.Z',
    '2026-12-31T23:59:59+24:00',
    '2026-12-31T23:59:59+00:60',
    '2026-12-31T23:59:59+0100',
    '+02026-12-31T23:59:59Z',
    '26-12-31T23:59:59Z',
    '2026-12-31T23:59:59Z\n',
    ' 2026-12-31T23:59:59Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '２０２６-12-31T23:59:59Z',
    '1735689600000',
    '',
    'now',
  ])('%j → null', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });
});

describe('calendar dates', () => {
  test('any year, month and day → a date if the month has that day', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9999 }), fc.nat({ max: 14 }), fc.nat({ max: 33 }), (year, month, day) => {
        const exists = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);

        expect(isCalendarDate(`${pad(year, 4)}-${pad(month)}-${pad(day)}`)).toBe(exists);
      }),
      { numRuns: 2000 },
    );
  });

  test('any other text → not a date', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/^\d{4}-\d\d-\d\d$/.test(text) || text.endsWith('\n'));
        expect(isCalendarDate(text)).toBe(false);
      }),
    );
  });
});
