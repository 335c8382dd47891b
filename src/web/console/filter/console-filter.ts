/**
 * The filter of the console. The text field, the URL and the request are three forms of this filter. In each list except
 * `notTypes`, an event has to match one of the values. An empty list matches all events. Values are unique and not empty.
 */
export interface ConsoleFilter {
  /** Event types as on the wire, such as `feature-archived`. */
  readonly types: readonly string[];
  /** Event types to exclude. Only types that the API lists can be excluded. Absent if the filter excludes none. */
  readonly notTypes?: readonly string[];
  /** Ids of projects. */
  readonly projects: readonly string[];
  /** Names of flags. */
  readonly flags: readonly string[];
  readonly environments: readonly string[];
  /** Names of the people and services that created the events. */
  readonly people: readonly string[];
  /** The text that the events' `data` contains, ignoring case. Empty if any `data` matches. */
  readonly text: string;
  /** The beginning of the range, inclusive: an age such as `7d`, a UTC day, or an instant. See relative-time.ts. */
  readonly since?: string;
  /** The end of the range: an age, a UTC day or an instant. A day belongs to the range, an instant does not. */
  readonly until?: string;
}

export type ListField = 'types' | 'notTypes' | 'projects' | 'flags' | 'environments' | 'people';
export type TimeField = 'since' | 'until';

export const LIST_FIELDS: readonly ListField[] = ['projects', 'types', 'notTypes', 'people', 'flags', 'environments'];
export const TIME_FIELDS: readonly TimeField[] = ['since', 'until'];

/** Matches all events. */
export const EMPTY_FILTER: ConsoleFilter = { types: [], projects: [], flags: [], environments: [], people: [], text: '' };

/** One part of a filter, as a chip shows it. */
export type FilterTerm =
  | { readonly field: ListField | TimeField; readonly value: string }
  | { readonly field: 'text'; readonly value: string };

const valuesOf = (filter: ConsoleFilter, field: ListField): readonly string[] => filter[field] ?? [];

/** Returns the parts of a filter in the order of the filter text. */
export function listTerms(filter: ConsoleFilter): readonly FilterTerm[] {
  const lists = LIST_FIELDS.flatMap((field) => valuesOf(filter, field).map((value) => ({ field, value })));
  const times = TIME_FIELDS.flatMap((field) => {
    const value = filter[field];
    return value === undefined ? [] : [{ field, value }];
  });
  return [...lists, ...times, ...(filter.text === '' ? [] : [{ field: 'text' as const, value: filter.text }])];
}

/** Adds a value to a list. A time or the text has only one value, so the new value replaces the old one. */
export function addTerm(filter: ConsoleFilter, { field, value }: FilterTerm): ConsoleFilter {
  if (field === 'text' || field === 'since' || field === 'until') return { ...filter, [field]: value };
  const values = valuesOf(filter, field);
  return values.includes(value) ? filter : { ...filter, [field]: [...values, value] };
}

/** Removes a part. A part that the filter does not have is ignored. */
export function removeTerm(filter: ConsoleFilter, { field, value }: FilterTerm): ConsoleFilter {
  if (field === 'text') return filter.text === value ? { ...filter, text: '' } : filter;
  if (field === 'since' || field === 'until') {
    const { [field]: current, ...rest } = filter;
    return current === value ? rest : filter;
  }
  const values = valuesOf(filter, field).filter((one) => one !== value);
  if (field !== 'notTypes' || values.length > 0) return { ...filter, [field]: values };
  const { notTypes: _notTypes, ...rest } = filter;
  return rest;
}

/** Replaces the range of times. An end that is absent in `range` is also absent in the result. */
export function withRange(filter: ConsoleFilter, range: Pick<ConsoleFilter, TimeField>): ConsoleFilter {
  const { since: _since, until: _until, ...rest } = filter;
  return {
    ...rest,
    ...(range.since === undefined ? {} : { since: range.since }),
    ...(range.until === undefined ? {} : { until: range.until }),
  };
}

/** Whether two filters have the same parts, in any order. */
export function isSameFilter(one: ConsoleFilter, other: ConsoleFilter): boolean {
  const normalize = (filter: ConsoleFilter) => listTerms(filter).map(({ field, value }) => JSON.stringify([field, value]));
  const [terms, otherTerms] = [new Set(normalize(one)), new Set(normalize(other))];
  return terms.size === otherTerms.size && [...terms].every((term) => otherTerms.has(term));
}

export const isEmptyFilter = (filter: ConsoleFilter): boolean => listTerms(filter).length === 0;
