import type { Problems } from '../errors.js';
import { checkEventFilter } from '../events/event-filter.js';
import { EVENT_TYPES, OTHER, toEventType, toGraphqlName } from '../events/event-types.js';
import { CALENDAR_DATE_RULE, DATE_TIME_RULE, isCalendarDate, parseDateTime } from '../formats/date-time.js';
import { MAX_INT } from '../formats/integer.js';
import { isStorableText, TEXT_RULE } from '../formats/text.js';
import type { EventType } from '../generated/graphql/graphql.js';
import { DOCUMENTED_FILTER_SCHEMA, FILTER_SCHEMA } from './filter-schema.js';

/** The unparsed query parameters. A repeated parameter is an array. */
export type RawParameters = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Matches the same texts as the spec's `^(IS|IS_ANY_OF):(.*?)(,([a-zA-Z0-9_]+))*$`, since `.*?` matches all that the last group
 * matches. The time of the spec's pattern grows with the square of the length; the time of this pattern does not.
 */
const LIST = /^(?:IS|IS_ANY_OF):(.*)$/;

/** Matches the operators that exclude types, which only the paths under /v1 have. */
const EXCLUDED = /^(?:IS_NOT|IS_NONE_OF):(.*)$/;

const VALUES_RULE = 'followed by one or more values separated by commas, without line breaks';

const DAY = /^IS:(\d{4}-\d{2}-\d{2})$/;
const INTEGER = /^-?\d{1,10}$/;
const DIGITS = /^\d{1,10}$/;

/** Maps fields of the filter to parameters with another name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  features: 'feature',
  projects: 'project',
  typeNames: 'type',
  createdByUserIds: 'createdBy',
  createdByNames: 'createdByName',
  environments: 'environment',
  ids: 'id',
};

/** Returns the parameter of a field of the filter. */
const toParameter = (field: string) => PARAMETERS[field] ?? field;

/** The filter parameters of spec 4.2. */
export const DOCUMENTED_FILTERS: readonly string[] = Object.keys(DOCUMENTED_FILTER_SCHEMA);

/** The filter parameters of the paths under /v1. */
export const FILTERS: readonly string[] = Object.keys(FILTER_SCHEMA);

/**
 * Parses the filter parameters of spec 4.2. Adds everything that is wrong to `problems`. An absent parameter becomes an undefined
 * field. JSON leaves such a field out, so cache keys stay short.
 */
export function parseDocumentedFilter(raw: RawParameters, problems: Problems) {
  const read = (name: string) => readOnce(raw, name, problems);
  const list = (name: string) => parseList(name, read(name), problems);
  const filter = {
    query: read('query'),
    features: list('feature'),
    projects: list('project'),
    typeNames: list('type'),
    createdByUserIds: parseIds('createdBy', list('createdBy'), problems),
    environments: list('environment'),
    ids: parseIds('id', list('id'), problems),
    from: parseDay('from', read('from'), problems),
    to: parseDay('to', read('to'), problems),
  };
  checkEventFilter(filter, problems, toParameter);
  return filter;
}

/** Parses the filter parameters of the paths under /v1. Adds everything that is wrong to `problems`. */
export function parseFilter(raw: RawParameters, problems: Problems) {
  const createdByNames = parseList('createdByName', readOnce(raw, 'createdByName', problems), problems);
  checkEventFilter({ createdByNames }, problems, toParameter);
  const types = parseExcludedTypes(raw.type, problems);
  return {
    ...parseDocumentedFilter(types === undefined ? raw : { ...raw, type: undefined }, problems),
    types,
    createdByNames,
    since: parseInstant('since', readOnce(raw, 'since', problems), problems),
    until: parseInstant('until', readOnce(raw, 'until', problems), problems),
  };
}

/** Reports known names in another case or with brackets. If they were ignored, the request would return the whole log. */
export function refuseMisspelledNames(raw: RawParameters, known: readonly string[], problems: Problems): void {
  for (const given of Object.keys(raw)) {
    const name = findKnown(given, known);
    if (name !== undefined && name !== given) problems.add(given, `must be written ${name}`);
  }
}

/** Reports unknown names, and known names in another form (`refuseMisspelledNames`). The paths under /v1 ignore no parameter. */
export function refuseUnknown(raw: RawParameters, known: readonly string[], problems: Problems): void {
  refuseMisspelledNames(raw, known, problems);
  for (const given of Object.keys(raw)) {
    if (findKnown(given, known) === undefined) problems.add(given, `is not known here. The parameters are ${known.join(', ')}`);
  }
}

/** Returns the known name that equals `given`, ignoring case and everything from the first `[` on. */
function findKnown(given: string, known: readonly string[]): string | undefined {
  const name = normalizeName(given);
  return known.find((each) => each.toLowerCase() === name);
}

/** Returns a name in lower case, without its first `[` and everything after it. */
export function normalizeName(given: string): string {
  return given.replace(/\[.*$/s, '').toLowerCase();
}

/** Returns the value of a parameter; undefined if it is absent, or given more than once. */
export function readOnce(raw: RawParameters, name: string, problems: Problems): string | undefined {
  const value = raw[name];
  if (Array.isArray(value)) problems.add(name, 'must not be given more than once');
  else if (value === undefined || isStorableText(value)) return value;
  else problems.add(name, TEXT_RULE);
  return undefined;
}

/**
 * Returns all types except those of `IS_NOT:a,b`, by their names in the GraphQL schema. `OTHER` stands for unlisted types.
 * @returns undefined if the parameter excludes no type
 */
function parseExcludedTypes(value: RawParameters[string], problems: Problems): EventType[] | undefined {
  if (typeof value !== 'string' || LIST.test(value)) return undefined;
  const [, list] = EXCLUDED.exec(value) ?? [];
  if (list === undefined) {
    problems.add('type', `must be IS:, IS_ANY_OF:, IS_NOT: or IS_NONE_OF: ${VALUES_RULE}`);
    return [];
  }
  const excluded = splitList(list);
  checkEventFilter({ typeNames: excluded }, problems, toParameter);
  const unknown = excluded.filter((type) => toEventType(type) === OTHER);
  if (unknown.length > 0) problems.add('type', 'can exclude only types that EventType of the GraphQL schema lists');
  return [...EVENT_TYPES.filter((type) => !excluded.includes(type)).map(toGraphqlName), OTHER] as EventType[];
}

/** Splits a list at its commas. The values are trimmed, and blank ones are dropped. */
const splitList = (list: string): string[] => list.split(',').flatMap((part) => part.trim() || []);

/** Returns the values of `IS:a,b`, trimmed and without blank ones; undefined if the parameter is absent or wrong. */
function parseList(name: string, value: string | undefined, problems: Problems): string[] | undefined {
  if (value === undefined) return undefined;
  const [, list] = LIST.exec(value) ?? [];
  if (list !== undefined) return splitList(list);
  problems.add(name, `must be IS: or IS_ANY_OF: ${VALUES_RULE}`);
  return undefined;
}

/**
 * Parses a list of ids. An empty list of event ids is an error over REST, but not over GraphQL.
 * @returns undefined if the parameter is absent or wrong
 */
function parseIds(name: string, values: string[] | undefined, problems: Problems): number[] | undefined {
  const isId = (value: string) => INTEGER.test(value) && Math.abs(Number(value)) <= MAX_INT;
  if (values?.every(isId) && (values.length > 0 || name !== 'id')) return values.map(Number);
  if (values) problems.add(name, `must be ids: whole numbers from -${MAX_INT} to ${MAX_INT}, at least one value`);
  return undefined;
}

function parseDay(name: string, value: string | undefined, problems: Problems): string | undefined {
  if (value === undefined) return undefined;
  const [, day] = DAY.exec(value) ?? [];
  if (day !== undefined && isCalendarDate(day)) return day;
  problems.add(name, `${CALENDAR_DATE_RULE}, such as IS:2026-01-31`);
  return undefined;
}

function parseInstant(name: string, value: string | undefined, problems: Problems): string | undefined {
  if (value === undefined) return undefined;
  const instant = parseDateTime(value);
  if (instant) return instant.toISOString();
  problems.add(name, `${DATE_TIME_RULE}. A plus sign in a URL is written %2B`);
  return undefined;
}

/** Parses decimal digits. Returns `byDefault` if the value is absent. Returns NaN for any other text: every rule rejects NaN. */
export function parseNumber(value: string | undefined, byDefault: number): number {
  if (value === undefined) return byDefault;
  return DIGITS.test(value) ? Number(value) : Number.NaN;
}
