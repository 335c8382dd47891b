import { useQuery } from '@tanstack/react-query';
import { daysQuery } from '../api/queries.js';
import { useZone } from '../preferences/time-zone.js';
import { useSession } from '../session/session.js';
import { dayOf } from '../time/days.js';
import type { EventListKey } from './use-event-pages.js';

const DAY_MS = 86_400_000;

/** One request counts the events of this many days. `withChunk` adds a margin at both ends. */
const DAYS_AT_ONCE = 60;

/** Returns the number of events on the day of an instant, in the time zone of the page. Null while the number is unknown. */
export function useDayCount(instant: string, { variables, generation }: EventListKey): number | null {
  const { token } = useSession();
  const { timeZone } = useZone();
  const { data } = useQuery(daysQuery(withChunk(variables, instant), timeZone, generation, token));
  const day = dayOf(new Date(instant), timeZone);
  return data?.eventCounts.buckets.find(({ start }) => dayOf(new Date(start), timeZone) === day)?.count ?? null;
}

/** Limits a filter to the fixed range of days that contains an instant, so that the headings of these days share a response. */
function withChunk(variables: EventListKey['variables'], instant: string) {
  const index = Math.floor(Date.parse(instant) / DAY_MS / DAYS_AT_ONCE);
  // Ranges begin at midnight UTC, so a local day can overlap two ranges. With a margin of two days, both have the whole day.
  const from = (index * DAYS_AT_ONCE - 2) * DAY_MS;
  const to = ((index + 1) * DAYS_AT_ONCE + 2) * DAY_MS;
  const since = Math.max(from, variables.since == null ? from : Date.parse(variables.since));
  const until = Math.min(to, variables.until == null ? to : Date.parse(variables.until));
  return { ...variables, since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}
