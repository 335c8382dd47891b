import { Problems } from '../errors.js';
import { DEFAULT_LIMIT, LIMIT_RULE, MAX_LIMIT, OFFSET_RULE } from '../events/event-page.js';
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

/**
 * Parses the query parameters of the event search into variables of its GraphQL document. Ignores unknown parameters.
 * @throws GatewayError BadDataError with everything that is wrong
 */
export function parseSearchParameters(raw: RawParameters): SearchEventsQueryVariables {
  const problems = new Problems();
  const read = (name: string) => readOnce(raw, name, problems);
  const list = (name: string) => parseList(name, read(name), problems);
  const variables = {
    filter: {
      query: read('query') ?? null,
      features: list('feature'),
      projects: list('project'),
      typeNames: list('type'),
      createdByUserIds: parseUserIds(list('createdBy'), problems),
      from: parseDay('from', read('from'), problems),
      to: parseDay('to', read('to'), problems),
    },
    offset: parseNumber(read('offset'), 0, { name: 'offset', least: 0, most: MAX_INT, rule: OFFSET_RULE }, problems),
    limit: parseNumber(read('limit'), DEFAULT_LIMIT, { name: 'limit', least: 1, most: MAX_LIMIT, rule: LIMIT_RULE }, problems),
  };
  problems.throwIfAny();
  return variables;
}

function readOnce(raw: RawParameters, name: string, problems: Problems): string | undefined {
  const value = raw[name];
  if (Array.isArray(value)) {
    problems.add(name, 'must not be given more than once');
    return undefined;
  }
  if (value !== undefined && !isStorableText(value)) problems.add(name, TEXT_RULE);
  return value;
}

/** Returns the values of `IS:a,b`, trimmed and without blank ones, or null if the parameter is absent. */
function parseList(name: string, value: string | undefined, problems: Problems): string[] | null {
  if (value === undefined) return null;
  const [, list] = LIST.exec(value) ?? [];
  if (list === undefined) {
    problems.add(name, 'must be IS: or IS_ANY_OF: followed by one or more values separated by commas, without line breaks');
    return null;
  }
  const values = list.split(',').flatMap((part) => part.trim() || []);
  // An empty variable in a script must not return the whole log.
  if (values.length === 0)
    problems.add(name, 'must have at least one value after IS: or IS_ANY_OF:; omit the parameter to include all events');
  return values;
}

function parseUserIds(values: string[] | null, problems: Problems): number[] | null {
  if (values === null) return null;
  const isUserId = (value: string) => INTEGER.test(value) && Math.abs(Number(value)) <= MAX_INT;
  if (!values.every(isUserId)) problems.add('createdBy', `must be user ids: whole numbers from -${MAX_INT} to ${MAX_INT}`);
  return values.map(Number);
}

function parseDay(name: string, value: string | undefined, problems: Problems): string | null {
  if (value === undefined) return null;
  const [, day = ''] = DAY.exec(value) ?? [];
  if (!isCalendarDate(day)) problems.add(name, `${CALENDAR_DATE_RULE}, after IS:`);
  return day;
}

interface NumberRule {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly rule: string;
}

function parseNumber(
  value: string | undefined,
  otherwise: number,
  { name, least, most, rule }: NumberRule,
  problems: Problems,
): number {
  if (value === undefined) return otherwise;
  const number = DIGITS.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most)) problems.add(name, rule);
  return number;
}
