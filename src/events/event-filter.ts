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
  for (const [field, value] of Object.entries(filter)) checkValues(`filter.${field}`, value, problems);
  return {
    featureNames: filter.features ?? undefined,
    projects: filter.projects ?? undefined,
    types: toTypeCriterion(filter),
    createdByUserIds: filter.createdByUserIds ?? undefined,
    environments: filter.environments ?? undefined,
    from: checkDay('filter.from', filter.from, problems),
    to: checkDay('filter.to', filter.to, problems),
    text: filter.query ? { literal: filter.query, in: [...new Set<EventText>(filter.searchIn ?? ['data'])] } : undefined,
  };
}

function checkValues(path: string, value: unknown, problems: Problems): void {
  if (Array.isArray(value) && value.length === 0) {
    // An empty list from a script's empty variable must neither return the whole log nor look like "nothing found".
    problems.add(path, 'must contain at least one value; omit the field to include all events');
  }
  const texts = [value].flat().filter((text) => typeof text === 'string');
  if (!texts.every(isStorableText)) problems.add(path, TEXT_RULE);
}

function checkDay(path: string, day: Optional<string>, problems: Problems): string | undefined {
  if (day === null || day === undefined) return undefined;
  if (!isCalendarDate(day)) problems.add(path, CALENDAR_DATE_RULE);
  return day;
}

function toTypeCriterion({ types, typeNames }: EventFilterInput): EventCriteria['types'] {
  if (!types && !typeNames) return undefined;
  const listed = (types ?? []).filter((type) => type !== OTHER);
  return { names: [...listed, ...(typeNames ?? [])], orUnlisted: types?.includes(OTHER) ?? false };
}
