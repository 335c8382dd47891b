import type { Problems } from '../errors.js';
import { CALENDAR_DATE_RULE, isCalendarDate } from '../formats/date-time.js';
import { isLongerThan, isStorableText, TEXT_RULE } from '../formats/text.js';
import type { EventCriteria, EventText } from './event.js';
import { type EventType, OTHER } from './event-types.js';

/** The maximum length of `query`. A longer text selects no better, and makes PostgreSQL look up thousands of trigrams. */
export const MAX_QUERY_CHARACTERS = 1_000;

/** The maximum length of a list. PostgreSQL compares every event that it reads with each value of the list. */
export const MAX_LIST_VALUES = 500;

type Optional<T> = T | null | undefined;

/** A filter as a client wrote it: null or absent means "any". */
export interface EventFilterInput {
  readonly query?: Optional<string>;
  readonly searchIn?: Optional<readonly EventText[]>;
  readonly ids?: Optional<readonly number[]>;
  readonly features?: Optional<readonly string[]>;
  readonly projects?: Optional<readonly string[]>;
  readonly types?: Optional<readonly EventType[]>;
  readonly typeNames?: Optional<readonly string[]>;
  readonly createdByUserIds?: Optional<readonly number[]>;
  readonly createdByNames?: Optional<readonly string[]>;
  readonly environments?: Optional<readonly string[]>;
  readonly from?: Optional<string>;
  readonly to?: Optional<string>;
  readonly since?: Optional<Date>;
  readonly until?: Optional<Date>;
}

/** Parses a filter into criteria, and adds each broken rule to `problems`. */
export function parseEventFilter(filter: EventFilterInput, problems: Problems): EventCriteria {
  checkEventFilter(filter, problems, (field) => `filter.${field}`);
  return {
    ids: filter.ids ?? undefined,
    featureNames: filter.features ?? undefined,
    projects: filter.projects ?? undefined,
    types: toTypeCriterion(filter),
    createdByUserIds: filter.createdByUserIds ?? undefined,
    createdByNames: filter.createdByNames ?? undefined,
    environments: filter.environments ?? undefined,
    from: filter.from ?? undefined,
    to: filter.to ?? undefined,
    since: filter.since?.toISOString(),
    until: filter.until?.toISOString(),
    text: filter.query ? { literal: filter.query, in: [...new Set<EventText>(filter.searchIn ?? ['data'])] } : undefined,
  };
}

/** Adds each rule that a filter breaks to `problems`. @param pathOf returns the name of a field as the client wrote it */
export function checkEventFilter(filter: EventFilterInput, problems: Problems, pathOf: (field: string) => string): void {
  for (const [field, value] of Object.entries(filter)) {
    if (value === null || value === undefined) continue;
    // An empty list is rejected, because a script may send it for an empty variable. It must neither return the whole log nor
    // look like "nothing found". An empty list of ids can only be meant literally.
    if (Array.isArray(value) && value.length === 0 && field !== 'ids')
      problems.add(pathOf(field), 'must contain at least one value; omit it to include all events');
    checkValues(pathOf(field), value, problems);
  }
  if (filter.query && isLongerThan(filter.query, MAX_QUERY_CHARACTERS))
    problems.add(pathOf('query'), `must have at most ${MAX_QUERY_CHARACTERS} characters`);
  for (const field of ['from', 'to'] as const) {
    const day = filter[field];
    if (day !== null && day !== undefined && !isCalendarDate(day)) problems.add(pathOf(field), CALENDAR_DATE_RULE);
  }
}

function checkValues(path: string, value: unknown, problems: Problems): void {
  if (Array.isArray(value) && value.length > MAX_LIST_VALUES)
    problems.add(path, `must contain at most ${MAX_LIST_VALUES} values`);
  const isAccepted = Array.isArray(value) ? value.every(isStorable) : isStorable(value);
  if (!isAccepted) problems.add(path, TEXT_RULE);
}

/** Whether PostgreSQL can store a value, such as a text or a number. */
function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || isStorableText(value);
}

function toTypeCriterion({ types, typeNames }: EventFilterInput): EventCriteria['types'] {
  if (!types && !typeNames) return undefined;
  const listed = (types ?? []).filter((type) => type !== OTHER);
  return { names: [...listed, ...(typeNames ?? [])], orUnlisted: types?.includes(OTHER) ?? false };
}
