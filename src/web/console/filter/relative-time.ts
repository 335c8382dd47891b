import { type ConsoleFilter, withRange } from './console-filter.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS, w: 7 * DAY_MS };

/** Matches an age of at most 9,999 weeks, about 191 years, so that the age counts back to a year with four digits. */
const AGE = /^(\d{1,4})([mhdw])$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** The rule of `isTime` in words, for messages. */
export const TIME_RULE =
  'must be an age such as 30m, 24h, 7d or 2w, a UTC day such as 2026-11-01, or an instant such as 2026-11-01T08:00:00Z';

type ParsedTime =
  | { readonly kind: 'age'; readonly ms: number }
  /** `at` is the beginning of the day in UTC. */
  | { readonly kind: 'day'; readonly at: number }
  | { readonly kind: 'instant'; readonly at: number };

/** Whether `text` can be the `since` or `until` of a filter. */
export const isTime = (text: string): boolean => parseTime(text) !== undefined;

/** Whether `text` is an age, which counts back from the present time. */
export const isRelativeTime = (text: string): boolean => parseTime(text)?.kind === 'age';

/** The first instant that `since` includes. Undefined for a text that is no time. */
export function resolveSince(since: string, now: Date): Date | undefined {
  const time = parseTime(since);
  if (time === undefined) return undefined;
  return new Date(time.kind === 'age' ? now.getTime() - time.ms : time.at);
}

/** The first instant that `until` excludes; for a day, the beginning of the next day. Undefined for a text that is no time. */
export function resolveUntil(until: string, now: Date): Date | undefined {
  const time = parseTime(until);
  return time?.kind === 'day' ? new Date(time.at + DAY_MS) : resolveSince(until, now);
}

/**
 * Replaces ages by instants, and ends an open range at `now`. Unless `until` is in the future, a link with the result keeps
 * showing the same events. Only an event that is committed after `now` with an earlier time can join them.
 */
export function freezeFilter(filter: ConsoleFilter, now: Date): ConsoleFilter {
  const freeze = (text: string) => (isRelativeTime(text) ? (resolveSince(text, now)?.toISOString() ?? text) : text);
  return withRange(filter, {
    ...(filter.since === undefined ? {} : { since: freeze(filter.since) }),
    until: filter.until === undefined ? now.toISOString() : freeze(filter.until),
  });
}

function parseTime(text: string): ParsedTime | undefined {
  const [, amount, unit = ''] = AGE.exec(text) ?? [];
  if (amount !== undefined) return { kind: 'age', ms: Number(amount) * (UNITS_MS[unit.toLowerCase()] ?? 0) };
  if (DAY.test(text)) {
    const at = parseDay(text);
    // The day 9999-12-31 ends at the beginning of the year 10000, which the API does not accept.
    return at === undefined || !hasFourDigits(at + DAY_MS) ? undefined : { kind: 'day', at };
  }
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || parseDay(day) === undefined) return undefined;
  const at = Date.parse(text.toUpperCase());
  return Number.isNaN(at) || !hasFourDigits(at) ? undefined : { kind: 'instant', at };
}

/** Returns the beginning of a day. Undefined if the day does not exist: JavaScript reads 30 February as 2 March. */
function parseDay(text: string): number | undefined {
  const at = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(at) || !hasFourDigits(at)) return undefined;
  return new Date(at).toISOString().startsWith(text) ? at : undefined;
}

/** Whether the API accepts the instant: a year from 0001 to 9999. */
function hasFourDigits(at: number): boolean {
  const year = new Date(at).getUTCFullYear();
  return year >= 1 && year <= 9999;
}
