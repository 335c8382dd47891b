/** Formatters of one time zone. Creating one takes longer than formatting a page of times. */
export interface TimeFormat {
  readonly timeZone: string;
  /** The calendar day of an instant: `2026-11-23`. */
  readonly dayOf: (instant: string) => string;
  /** The time of day: `09:41`. */
  readonly clockOf: (instant: string) => string;
  /** The whole date and time with the zone. */
  readonly fullOf: (instant: string) => string;
  /** A day in words: `Monday, 23 November 2026`. */
  readonly headingOf: (instant: string) => string;
}

const cached = new Map<string, TimeFormat>();

export function formatIn(timeZone: string): TimeFormat {
  const known = cached.get(timeZone);
  if (known) return known;
  const format = createFormat(timeZone);
  cached.set(timeZone, format);
  return format;
}

function createFormat(timeZone: string): TimeFormat {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const full = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'long', timeStyle: 'long' });
  const heading = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const toText = (format: Intl.DateTimeFormat) => (instant: string) => format.format(new Date(instant));
  return { timeZone, dayOf: toText(day), clockOf: toText(clock), fullOf: toText(full), headingOf: toText(heading) };
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** The time from now to an instant in words, such as "3 hr. ago". */
export function formatRelative(instant: string, now: number): string {
  const seconds = (new Date(instant).getTime() - now) / 1_000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return unit === 'second' ? 'just now' : relative.format(Math.round(seconds / length), unit);
}
