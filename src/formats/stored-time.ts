/*
 * The stored form of a time. The stores read times from the database as text in this form (database/time-to-text.ts). PostgreSQL
 * can parse the text again, so cursors contain it. The form is:
 *
 * - `2026-12-31T23:59:59.123456Z` in the years 0001 to 9999;
 * - `20000-01-01T00:00:00.000000Z AD` and `0044-03-15T00:00:00.000000Z BC` outside of these years;
 * - `infinity` and `-infinity`.
 */

import { isDayOfYear, parseDateTime } from './date-time.js';

const FINITE = /^(\d{4,6})-(\d{2})-(\d{2})(T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3})\d{3}Z(?: (AD|BC))?$/;

/** How JavaScript writes a time outside of the years 0001 to 9999. The year 0 has four digits. */
const EXTENDED = /^([+-]\d{6}|0000)-(\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3})Z$/;

/** The rule of `toStoredTime` in words, for messages. */
export const WIRE_TIME_RULE =
  'must be an RFC 3339 date-time with a zone, such as 2026-12-31T23:59:59Z, or have a signed year of six digits, such as +020000-01-01T00:00:00.000Z';

const MILLISECONDS_END = '2026-12-31T23:59:59.000'.length;

/** The length of a time in the years 0001 to 9999. */
const COMMON_LENGTH = '2026-12-31T23:59:59.123456Z'.length;

/** The first and the last instant of JavaScript, which stand for all times beyond them. */
const FIRST = '-271821-04-20T00:00:00.000Z';
const LAST = '+275760-09-13T00:00:00.000Z';

/** A time as PostgreSQL writes it, with the date style ISO and the time zone UTC. */
const POSTGRES_TIME = /^(\d{4,6}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(?:\+00)?( BC)?$/;
const LENGTH_OF_DATE = '2026-12-31'.length;
const POINT_IN_TIME = '23:59:59'.length;
const LENGTH_OF_TIME = '23:59:59.123456'.length;
const UTC = '+00';

/** Converts a time from PostgreSQL's output to the stored form. Returns any other text, such as `infinity`, as it is. */
export function fromPostgresTime(text: string): string {
  // Times with a zone in the years 0001 to 9999 have a fast path, because this function runs for each event of a page.
  if (text[LENGTH_OF_DATE] === ' ' && text.endsWith(UTC)) {
    const time = text
      .slice(LENGTH_OF_DATE + 1, -UTC.length)
      .padEnd(POINT_IN_TIME + 1, '.')
      .padEnd(LENGTH_OF_TIME, '0');
    return `${text.slice(0, LENGTH_OF_DATE)}T${time}Z`;
  }
  const [, date, time, fraction = '', era] = POSTGRES_TIME.exec(text) ?? [];
  if (date === undefined) return text;
  return `${date}T${time}.${fraction.padEnd(6, '0')}Z${era ?? (date.length > LENGTH_OF_DATE ? ' AD' : '')}`;
}

/** Whether the text has the stored form, and is a time that PostgreSQL can store. */
export function isStoredTime(text: string): boolean {
  if (text === 'infinity' || text === '-infinity') return true;
  const [, digits = '', month, day, , era] = FINITE.exec(text) ?? [];
  const year = toYear(digits, era);
  const hasForm = era === undefined ? digits.length === 4 && year >= 1 : Number(digits) >= 1;
  // PostgreSQL counts days from 24 November 4714 BC to the end of the year 294276.
  const isInRange = year > -4713 || (year === -4713 && `${month}-${day}` >= '11-24');
  return hasForm && isInRange && year <= 294_276 && isDayOfYear(year, Number(month), Number(day));
}

/**
 * Converts a time from the stored form to the wire format: ISO 8601 in UTC with milliseconds, and with a signed year of six
 * digits outside of the years 0001 to 9999. Returns null for a text in another form.
 */
export function toWireTime(stored: string): string | null {
  // The common form has a fast path, because this function runs for each event of a page. Its digits are not checked, since
  // only `fromPostgresTime` and the stores make such texts.
  if (stored.length === COMMON_LENGTH && stored[LENGTH_OF_DATE] === 'T' && stored.endsWith('Z'))
    return `${stored.slice(0, MILLISECONDS_END)}Z`;
  if (!isStoredTime(stored)) return null;
  if (stored.endsWith('infinity')) return stored === 'infinity' ? LAST : FIRST;
  const [, digits = '', month, day, time, era] = FINITE.exec(stored) ?? [];
  const year = toYear(digits, era);
  const iso = `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}-${month}-${day}${time}Z`;
  return Number.isNaN(Date.parse(iso)) ? LAST : iso;
}

/**
 * Converts a time from the wire format to the stored form, with milliseconds instead of microseconds. Returns null for a text in
 * another form, and for a time that PostgreSQL cannot store.
 */
export function toStoredTime(wire: string): string | null {
  const [, digits, rest] = EXTENDED.exec(wire) ?? [];
  if (digits === undefined) return parseDateTime(wire)?.toISOString() ?? null;
  const year = Number(digits);
  if (year >= 1 && year <= 9999) return null;
  const [storedYear, era] = year > 0 ? [String(year), 'AD'] : [String(1 - year).padStart(4, '0'), 'BC'];
  const isPossible = isStoredTime(`${storedYear}-${rest}000Z ${era}`);
  return isPossible ? `${storedYear}-${rest}Z ${era}` : null;
}

/** Returns the year as ISO 8601 counts it: the year 1 BC is 0. */
function toYear(digits: string, era: string | undefined): number {
  return era === 'BC' ? 1 - Number(digits) : Number(digits);
}
