/*
 * The text of a time as the store reads it (event-columns.store.ts). PostgreSQL can parse it again, and so it is a part of cursors:
 *
 * - `2026-12-31T23:59:59.123456Z` in the years 0001 to 9999;
 * - `20000-01-01T00:00:00.000000Z AD` and `0044-03-15T00:00:00.000000Z BC` outside of them;
 * - `infinity` and `-infinity`.
 */

const COMMON = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3,6}Z$/;
const OTHER_YEARS = /^(\d{4,6})(-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3})\d{0,3}Z (AD|BC)$/;

const MILLISECONDS_END = '2026-12-31T23:59:59.000'.length;

/** The first and the last instant of JavaScript, which stand for all times beyond them. */
const FIRST = '-271821-04-20T00:00:00.000Z';
const LAST = '+275760-09-13T00:00:00.000Z';

/** Whether the text is a time that the store could have read. It may be a date that does not exist. */
export function isStoredTime(text: string): boolean {
  return COMMON.test(text) || OTHER_YEARS.test(text) || text === 'infinity' || text === '-infinity';
}

/** Returns the time in the form of the wire: ISO 8601 in UTC with milliseconds, and a year of six digits outside 0001 to 9999. */
export function toWireTime(stored: string): string {
  if (COMMON.test(stored)) return `${stored.slice(0, MILLISECONDS_END)}Z`;
  const [, digits, rest, era] = OTHER_YEARS.exec(stored) ?? [];
  if (digits === undefined) return stored === '-infinity' ? FIRST : LAST;
  // The year 1 BC is the year 0 of ISO 8601.
  const year = era === 'BC' ? 1 - Number(digits) : Number(digits);
  const text = `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}${rest}Z`;
  // ISO 8601 has no negative zero.
  const iso = text.startsWith('-000000') ? `+${text.slice(1)}` : text;
  return Number.isNaN(Date.parse(iso)) ? LAST : iso;
}
