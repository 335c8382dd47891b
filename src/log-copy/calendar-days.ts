/** A range of days in the time zone of the Unleash server, both days included, written yyyy-MM-dd. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export const DAY_MS = 86_400_000;

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function nextDay(day: string): string {
  return dayOf(timeOf(day) + DAY_MS);
}

export function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
