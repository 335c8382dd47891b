/** The language of the console, which determines the form of dates: 23 Nov 2026. */
const LOCALE = 'en-GB';

const SECOND_MS = 1_000;

/** The units of relative times. A distance is in the first unit that fits into it. Months and years have their mean length. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['year', 365.25 * 86_400 * SECOND_MS],
  ['month', 30.44 * 86_400 * SECOND_MS],
  ['day', 86_400 * SECOND_MS],
  ['hour', 3_600 * SECOND_MS],
  ['minute', 60 * SECOND_MS],
];

const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' });

/** The formatters by their options. Creating one takes a hundred times longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([timeZone, options]);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(LOCALE, { ...options, timeZone });
  formatters.set(key, formatter);
  return formatter;
}

/** The distance from `now` in whole units: "just now", "3 minutes ago", "in 2 hours". */
export function formatRelative(at: Date, now: Date): string {
  const distance = at.getTime() - now.getTime();
  const unit = UNITS.find(([, ms]) => Math.abs(distance) >= ms);
  return unit ? RELATIVE.format(Math.trunc(distance / unit[1]), unit[0]) : 'just now';
}

/** The date and time with its zone: "23 Nov 2026, 08:14:05 UTC". */
export function formatAbsolute(at: Date, timeZone: string): string {
  return formatterOf(timeZone, { ...DATE, ...TIME, second: '2-digit', timeZoneName: 'short' }).format(at);
}

/** "08:14". */
export const formatTimeOfDay = (at: Date, timeZone: string): string => formatterOf(timeZone, TIME).format(at);

/** "23 Nov 2026". */
export const formatDate = (at: Date, timeZone: string): string => formatterOf(timeZone, DATE).format(at);

/** "23 Nov". */
export const formatDayOfMonth = (at: Date, timeZone: string): string =>
  formatterOf(timeZone, { day: 'numeric', month: 'short' }).format(at);

/** "Nov 2026". */
export const formatMonth = (at: Date, timeZone: string): string =>
  formatterOf(timeZone, { month: 'short', year: 'numeric' }).format(at);

/** "Monday 23 November 2026". */
export const formatLongDate = (at: Date, timeZone: string): string =>
  formatterOf(timeZone, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(at);

/** A range: "23 Nov 2026, 08:00–09:00 UTC". `Intl` leaves out what both ends share. */
export const formatRange = (start: Date, end: Date, timeZone: string): string =>
  formatterOf(timeZone, { ...DATE, ...TIME, timeZoneName: 'short' }).formatRange(start, end);

/** Returns a duration in whole units: "40 s", "3 min", "2 h" or "5 d". Hours are used up to two days. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND_MS));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

const DATE: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' };
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
