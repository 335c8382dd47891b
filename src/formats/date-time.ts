const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})t(\d{2}):(\d{2}):(\d{2})(\.\d+)?(z|[+-]\d{2}:\d{2})$/i;

const CALENDAR_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The rule of `parseDateTime` in words, for messages. */
export const DATE_TIME_RULE =
  'must be an RFC 3339 date-time with a zone, such as 2026-12-31T23:59:59Z, in the years 0001 to 9999';

/** The rule of `isCalendarDate` in words, for messages. */
export const CALENDAR_DATE_RULE = 'must be an existing date, written yyyy-MM-dd';

/** Parses an RFC 3339 date-time (`DATE_TIME_RULE`), to the millisecond. Returns null for a text that breaks the rule. */
export function parseDateTime(text: string): Date | null {
  const [, year, month, day, hours, minutes, seconds, fraction = '', zone = ''] = RFC_3339.exec(text) ?? [];
  if (!isCalendarDate(`${year}-${month}-${day}`)) return null;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  // V8 parses a fraction of ten or more digits incorrectly.
  const milliseconds = (fraction || '.').slice(0, 4).padEnd(4, '0');
  const instant = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${milliseconds}${zone.toUpperCase()}`);
  return isStorable(instant) ? instant : null;
}

/** Whether PostgreSQL and ISO 8601 both write the year with four digits. Every layer of the gateway supports such years. */
function isStorable(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** Whether `text` is an existing date, written yyyy-MM-dd. The year 0000 does not exist. */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = CALENDAR_DATE.exec(text)?.map(Number) ?? [];
  return Boolean(year) && isDayOfYear(year ?? 0, month ?? 0, day ?? 0);
}

/** Whether the year has this month and day. The year 0 is 1 BC, as in ISO 8601. */
export function isDayOfYear(year: number, month: number, day: number): boolean {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && isLeapYear ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0));
}
