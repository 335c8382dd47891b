import type { Problems } from '../errors.js';
import { CALENDAR_DATE_RULE, isCalendarDate } from '../formats/date-time.js';
import { isStorableText, TEXT_RULE } from '../formats/text.js';
import type { EventCriteria, EventText } from './event.js';
import { type EventType, OTHER } from './event-types.js';

type Optional<T> = T | null | undefined;

/** A filter as a client wrote it: null or absent means "any". */
export interface EventFilterInput {
  readonly query?: Optional<string>;
  readonly searchIn?: Optional<readonly EventText[]>;
  readonly features?: Optional<readonly string[]>;
  readonly projects?: Optional<readonly string[]>;
  readonly types?: Optional<readonly EventType[]>;
  readonly typeNames?: Optional<readonly string[]>;
  readonly createdByUserIds?: Optional<readonly number[]>;
  readonly environments?: Optional<readonly string[]>;
  readonly from?: Optional<string>;
  readonly to?: Optional<string>;
}

/** Parses a filter into criteria, and adds each broken rule to `problems`. */
export function parseEventFilter(filter: EventFilterInput, problems: Problems): EventCriteria {
  checkEventFilter(filter, problems, (field) => `filter.${field}`);
  return {
    featureNames: filter.features ?? undefined,
    projects: filter.projects ?? undefined,
    types: toTypeCriterion(filter),
    createdByUserIds: filter.createdByUserIds ?? undefined,
    environments: filter.environments ?? undefined,
    from: filter.from ?? undefined,
    to: filter.to ?? undefined,
    text: filter.query ? { literal: filter.query, in: [...new Set<EventText>(filter.searchIn ?? ['data'])] } : undefined,
  };
}

/**
 * Adds each rule that a filter breaks to `problems`.
 * @param pathOf names a field as the client wrote it
 */
export function checkEventFilter(filter: EventFilterInput, problems: Problems, pathOf: (field: string) => string): void {
  for (const [field, value] of Object.entries(filter)) checkValues(pathOf(field), value, problems);
  for (const field of ['from', 'to'] as const) {
    const day = filter[field];
    if (day !== null && day !== undefined && !isCalendarDate(day)) problems.add(pathOf(field), CALENDAR_DATE_RULE);
  }
}

function checkValues(path: string, value: unknown, problems: Problems): void {
  if (Array.isArray(value) && value.length === 0) {
    // An empty list from a script's empty variable must neither return the whole log nor look like "nothing found".
    problems.add(path, 'must contain at least one value; omit it to include all events');
  }
  const texts = [value].flat().filter((text) => typeof text === 'string');
  if (!texts.every(isStorableText)) problems.add(path, TEXT_RULE);
}

function toTypeCriterion({ types, typeNames }: EventFilterInput): EventCriteria['types'] {
  if (!types && !typeNames) return undefined;
  const listed = (types ?? []).filter((type) => type !== OTHER);
  return { names: [...listed, ...(typeNames ?? [])], orUnlisted: types?.includes(OTHER) ?? false };
}
