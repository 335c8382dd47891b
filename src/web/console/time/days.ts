import { formatLongDate } from './format-time.js';

/** Returns the day of an instant in a time zone, such as `2026-11-23`. */
export function dayOf(at: Date, timeZone: string): string {
  const inUtc = at.toISOString();
  // Years outside 0001 to 9999 are in UTC, because Intl prints a year before 1 without its sign. 0001-01-01 and 9999-12-31 are in
  // UTC too, because another time zone can move an instant of these days out of the range.
  if (timeZone === 'UTC' || !/^\d{4}-/.test(inUtc) || inUtc < '0001-01-02' || inUtc > '9999-12-31')
    return inUtc.split('T')[0] ?? '';
  const parts = new Map(
    dayFormatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** Returns the heading of a day: "Today", "Yesterday", or "Monday 23 November 2026". */
export function formatDay(day: string, now: Date, timeZone: string): string {
  const today = dayOf(now, timeZone);
  if (day === today) return 'Today';
  // Days are compared as dates, because a day can have 23 or 25 hours.
  if (Date.parse(today) - Date.parse(day) === DAY_MS) return 'Yesterday';
  return formatLongDate(new Date(day), 'UTC');
}

const DAY_MS = 24 * 60 * 60 * 1_000;

const dayFormats = new Map<string, Intl.DateTimeFormat>();

function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  const options: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit', timeZone };
  const format = dayFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options);
  dayFormats.set(timeZone, format);
  return format;
}
