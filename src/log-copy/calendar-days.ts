/** A range of days in the time zone of the Unleash server, written yyyy-MM-dd. It includes both days. Null means no limit. */
export interface Days {
  readonly from: string | null;
  readonly to: string | null;
}

/** The first and the last day that yyyy-MM-dd can express. The log may have events before or after them. */
export const FIRST_DAY = '0001-01-01';
export const LAST_DAY = '9999-12-31';

export const DAY_MS = 86_400_000;

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function nextDay(day: string): string {
  return day === LAST_DAY ? day : dayOf(timeOf(day) + DAY_MS);
}

export function dayBefore(day: string): string {
  return day === FIRST_DAY ? day : dayOf(timeOf(day) - DAY_MS);
}

/** Returns the UTC day of a finite stored time (formats/stored-time.ts), or the nearest day in the years 0001 to 9999. */
export function dayOfStored(createdAt: string): string {
  if (createdAt.endsWith(' BC')) return FIRST_DAY;
  return createdAt.endsWith(' AD') ? LAST_DAY : createdAt.slice(0, 10);
}

function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
