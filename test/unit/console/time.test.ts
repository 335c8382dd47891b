import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf, formatDay } from '../../../src/web/console/time/days.js';
import { formatAbsolute, formatDuration, formatRange, formatRelative } from '../../../src/web/console/time/format-time.js';
import { toTimeZone } from '../../../src/web/console/time/time-zone.js';
import { RUNS } from './random-filter.js';

const NOW = new Date('2026-11-23T08:14:05.500Z');

describe('times in words', () => {
  test.each([
    ['2026-11-23T08:14:05.000Z', 'just now'],
    ['2026-11-23T08:14:30.000Z', 'just now'],
    ['2026-11-23T08:13:05.000Z', '1 minute ago'],
    ['2026-11-23T06:14:06.000Z', '1 hour ago'],
    ['2026-11-22T08:14:00.000Z', '1 day ago'],
    ['2026-11-09T08:14:00.000Z', '14 days ago'],
    ['2026-09-20T08:14:00.000Z', '2 months ago'],
    ['2024-11-20T08:14:00.000Z', '2 years ago'],
    ['2026-11-23T10:20:00.000Z', 'in 2 hours'],
    ['-000043-03-15T00:00:00.000Z', '2,069 years ago'],
  ])('%s → %s', (at, expected) => {
    expect(formatRelative(new Date(at), NOW)).toBe(expected);
  });

  test('an instant → its date, time and zone', () => {
    expect(formatAbsolute(NOW, 'UTC')).toBe('23 Nov 2026, 08:14:05 UTC');
    expect(formatAbsolute(NOW, 'Europe/Berlin')).toBe('23 Nov 2026, 09:14:05 CET');
    expect(formatAbsolute(new Date('2026-11-23T00:00:00Z'), 'UTC')).toBe('23 Nov 2026, 00:00:00 UTC');
  });

  test('a range → both ends, and what they share only once', () => {
    const end = new Date('2026-11-23T09:00:00Z');
    expect(formatRange(new Date('2026-11-23T08:00:00Z'), end, 'UTC').replace(/\s*–\s*/, '–')).toBe(
      '23 Nov 2026, 08:00–09:00 UTC',
    );
  });

  test.each([
    [-5, '0 s'],
    [40_400, '40 s'],
    [60_000, '1 min'],
    [3_599_000, '59 min'],
    [47 * 3_600_000, '47 h'],
    [49 * 3_600_000, '2 d'],
  ])('%d ms → %s', (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected);
  });

  test('the choice of a zone → a name that Intl accepts', () => {
    expect(toTimeZone('utc')).toBe('UTC');
    expect(() => formatAbsolute(NOW, toTimeZone('local'))).not.toThrow();
  });
});

describe('days of a list', () => {
  test.each([
    ['2026-11-22T23:30:00.000Z', '2026-11-22', '2026-11-23'],
    ['2026-11-22T01:00:00.000Z', '2026-11-22', '2026-11-22'],
  ])('%s → %s in UTC, and %s in Berlin', (time, inUtc, inBerlin) => {
    expect(dayOf(new Date(time), 'UTC')).toBe(inUtc);
    expect(dayOf(new Date(time), 'Europe/Berlin')).toBe(inBerlin);
  });

  test('any instant → a day that never decreases with time', () => {
    const date = fc.date({ noInvalidDate: true, min: new Date('0002-01-01'), max: new Date('9998-01-01') });
    fc.assert(
      fc.property(date, date, fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Auckland'), (one, other, timeZone) => {
        const [earlier, later] = one <= other ? [one, other] : [other, one];
        expect(dayOf(earlier, timeZone) <= dayOf(later, timeZone)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('any instant of the calendar → a heading', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Auckland'),
        (at, timeZone) => {
          expect(formatDay(dayOf(at, timeZone), NOW, timeZone)).not.toContain('Invalid');
        },
      ),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['2026-11-23', 'Today'],
    ['2026-11-22', 'Yesterday'],
    ['2026-11-21', 'Saturday 21 November 2026'],
    ['2026-11-24', 'Tuesday 24 November 2026'],
  ])('%s → %s', (day, heading) => {
    expect(formatDay(day, NOW, 'UTC').replace(',', '')).toBe(heading);
  });

  test('the day after a change of the clock → yesterday', () => {
    expect(formatDay('2026-10-25', new Date('2026-10-25T23:30:00Z'), 'Europe/Berlin')).toBe('Yesterday');
  });

  test('years outside of 0001 to 9999 → their day in UTC', () => {
    expect(dayOf(new Date('-000043-03-15T00:00:00Z'), 'Europe/Berlin')).toBe('-000043-03-15');
    expect(dayOf(new Date('+020000-01-01T00:00:00Z'), 'Europe/Berlin')).toBe('+020000-01-01');
    expect(dayOf(new Date('0999-12-31T23:59:00Z'), 'Asia/Tokyo')).toBe('1000-01-01');
  });
});
