import type { EventFilter, EventType } from '../../../generated/console/graphql.js';
import { isKnownType, KNOWN_TYPES } from '../sentences/describe-event.js';
import type { ConsoleFilter } from './console-filter.js';
import { resolveSince, resolveUntil } from './relative-time.js';

/** The range of times of a filter, as instants. `since` is inclusive, `until` is exclusive. An absent end is open. */
export interface ResolvedRange {
  readonly since?: Date;
  readonly until?: Date;
}

/** Resolves the times of a filter to instants. Omits a text that is not a time. */
export function resolveRange({ since, until }: ConsoleFilter, now: Date): ResolvedRange {
  const from = since === undefined ? undefined : resolveSince(since, now);
  const to = until === undefined ? undefined : resolveUntil(until, now);
  return { ...(from && { since: from }), ...(to && { until: to }) };
}

/** Converts a filter of the console to the filter of a GraphQL request. Ages such as `7d` count back from `now`. */
export function toEventFilter(filter: ConsoleFilter, now: Date): EventFilter {
  const range = resolveRange(filter, now);
  // An unreadable time must match nothing: if it were omitted, the request would return the whole log.
  const isBroken = (['since', 'until'] as const).some((field) => filter[field] !== undefined && range[field] === undefined);
  const types = toTypes(filter);
  if (isBroken || types === undefined) return { ids: [] };
  return {
    ...types,
    ...listOf('projects', filter.projects),
    ...listOf('createdByNames', filter.people),
    ...listOf('features', filter.flags),
    ...listOf('environments', filter.environments),
    ...(range.since && { since: range.since.toISOString() }),
    ...(range.until && { until: range.until.toISOString() }),
    ...(filter.text !== '' && { query: filter.text }),
  };
}

/** Converts the types of a filter. Undefined if each of `types` is excluded, or if the API does not list an excluded type. */
function toTypes({ types, notTypes = [] }: ConsoleFilter): EventFilter | undefined {
  if (notTypes.length === 0) return listOf('typeNames', types);
  if (notTypes.some((type) => !isKnownType(type))) return undefined;
  const isLeft = (type: string) => !notTypes.includes(type);
  if (types.length === 0) return { types: [...KNOWN_TYPES.filter(isLeft).map(toGraphqlName), 'OTHER'] };
  const left = types.filter(isLeft);
  return left.length === 0 ? undefined : { typeNames: left };
}

/** `feature-created` is `FEATURE_CREATED` in GraphQL. */
export const toGraphqlName = (type: string) => type.toUpperCase().replaceAll('-', '_') as EventType;

/** Omits an empty list, because the API rejects it. */
function listOf(field: keyof EventFilter, values: readonly string[]): EventFilter {
  return values.length === 0 ? {} : { [field]: [...values] };
}
