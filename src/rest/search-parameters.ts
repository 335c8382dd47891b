import { Problems } from '../errors.js';
import { checkEventFilter } from '../events/event-filter.js';
import { checkOffsetPage, DEFAULT_LIMIT } from '../events/event-page.js';
import { CALENDAR_DATE_RULE, isCalendarDate } from '../formats/date-time.js';
import { MAX_INT } from '../formats/integer.js';
import { isStorableText, TEXT_RULE } from '../formats/text.js';
import type { SearchEventsQueryVariables } from '../generated/graphql/graphql.js';

/** The unparsed query parameters of spec 4.2. A repeated parameter is an array. */
export type RawParameters = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Matches the same text as the spec's `^(IS|IS_ANY_OF):(.*?)(,([a-zA-Z0-9_]+))*$`, since `.*?` also matches whatever the last
 * group does. The time of the spec's pattern grows with the square of the length; the time of this pattern does not.
 */
const LIST = /^(?:IS|IS_ANY_OF):(.*)$/;
const DAY = /^IS:(\d{4}-\d{2}-\d{2})$/;
const INTEGER = /^-?\d{1,10}$/;
const DIGITS = /^\d{1,10}$/;

/** The parameter of each field of the filter. */
const PARAMETERS: Readonly<Record<string, string>> = {
  query: 'query',
  features: 'feature',
  projects: 'project',
  typeNames: 'type',
  createdByUserIds: 'createdBy',
  environments: 'environment',
  ids: 'id',
  from: 'from',
  to: 'to',
};

/**
 * Parses the query parameters of the event search into variables of its GraphQL document. Ignores parameters that are not known to
 * this API, but refuses a known one in another form: the response would be the whole log.
 * @throws GatewayError BadDataError with everything that is wrong
 */
export function parseSearchParameters(raw: RawParameters): SearchEventsQueryVariables {
  const problems = new Problems();
  refuseOtherForms(raw, problems);
  const filter = parseFilter(raw, problems);
  const read = (name: string) => readOnce(raw, name, problems);
  const page = { offset: parseNumber(read('offset'), 0), limit: parseNumber(read('limit'), DEFAULT_LIMIT) };
  checkOffsetPage(page, problems);
  problems.throwIfAny();
  return { filter, ...page };
}

/** Parses the parameters that select events, which the search and the `/v1` routes share. */
export function parseFilter(raw: RawParameters, problems: Problems) {
  const read = (name: string) => readOnce(raw, name, problems);
  const list = (name: string) => parseList(name, read(name), problems);
  const filter = {
    query: read('query') ?? null,
    features: list('feature'),
    projects: list('project'),
    typeNames: list('type'),
    createdByUserIds: parseIds('createdBy', list('createdBy'), problems),
    environments: list('environment'),
    ids: parseIds('id', list('id'), problems),
    from: parseDay('from', read('from'), problems),
    to: parseDay('to', read('to'), problems),
  };
  checkEventFilter(filter, problems, (field) => PARAMETERS[field] ?? field);
  return filter;
}

/** Adds each parameter that is neither part of the filter nor one of `others` to `problems`. The `/v1` routes ignore none. */
export function refuseUnknown(raw: RawParameters, others: readonly string[], problems: Problems): void {
  const known = [...Object.values(PARAMETERS), ...others];
  for (const given of Object.keys(raw)) {
    if (!known.includes(given)) problems.add(given, `is not known here. The parameters are ${known.join(', ')}`);
  }
}

const KNOWN: ReadonlyMap<string, string> = new Map(
  [...Object.values(PARAMETERS), 'offset', 'limit'].map((name) => [name.toLowerCase(), name]),
);

/** Refuses known names in another case or with brackets, and a filter of other servers that this log cannot have. */
function refuseOtherForms(raw: RawParameters, problems: Problems): void {
  for (const given of Object.keys(raw)) {
    const name = given.replace(/\[.*$/s, '').toLowerCase();
    const known = KNOWN.get(name);
    if (known !== undefined && known !== given) problems.add(given, `must be written ${known}`);
    else if (name === 'groupid') problems.add(given, 'is not supported, because events have no groups here');
  }
}

/** Returns the value of a parameter; undefined if it is absent, or given more than once. */
export function readOnce(raw: RawParameters, name: string, problems: Problems): string | undefined {
  const value = raw[name];
  if (Array.isArray(value)) problems.add(name, 'must not be given more than once');
  else if (value === undefined || isStorableText(value)) return value;
  else problems.add(name, TEXT_RULE);
  return undefined;
}

/** Returns the values of `IS:a,b`, trimmed and without blank ones, or null if the parameter is absent. */
function parseList(name: string, value: string | undefined, problems: Problems): string[] | null {
  if (value === undefined) return null;
  const [, list] = LIST.exec(value) ?? [];
  if (list !== undefined) return list.split(',').flatMap((part) => part.trim() || []);
  problems.add(name, 'must be IS: or IS_ANY_OF: followed by one or more values separated by commas, without line breaks');
  return null;
}

/** @returns null for an absent parameter; an empty list of ids stays one, and is an error over REST */
function parseIds(name: string, values: string[] | null, problems: Problems): number[] | null {
  const isId = (value: string) => INTEGER.test(value) && Math.abs(Number(value)) <= MAX_INT;
  if (values?.every(isId) && (values.length > 0 || name !== 'id')) return values.map(Number);
  if (values) problems.add(name, `must be ids: whole numbers from -${MAX_INT} to ${MAX_INT}, at least one value`);
  return null;
}

function parseDay(name: string, value: string | undefined, problems: Problems): string | null {
  if (value === undefined) return null;
  const [, day] = DAY.exec(value) ?? [];
  if (day !== undefined && isCalendarDate(day)) return day;
  problems.add(name, `${CALENDAR_DATE_RULE}, after IS:`);
  return null;
}

/** Returns NaN, which no rule of a page accepts, for anything but decimal digits. */
function parseNumber(value: string | undefined, byDefault: number): number {
  if (value === undefined) return byDefault;
  return DIGITS.test(value) ? Number(value) : Number.NaN;
}
