import { isDeepStrictEqual } from 'node:util';
import { FLAG, parametersOf, valuesIn } from './request.mjs';
import { send } from './send.mjs';

/** @typedef {import('./differences.mjs').Context} Context */
/** @typedef {import('./log.mjs').LoggedEvent} LoggedEvent */

/** Parameters that take a list of values. */
export const LISTS = ['feature', 'project', 'type', 'createdBy', 'environment', 'id'];
/** The parameters in `LISTS` that Unleash ignores before version 7. */
const NEWER = ['environment', 'id'];
const KNOWN = [...LISTS, 'groupId', 'query', 'from', 'to', 'limit', 'offset'];
const PAGE = ['limit', 'offset'];
const LIST = /^IS(_ANY_OF)?:(.*)$/;
const DAY = /^IS:(\d{4})-(\d{2})-(\d{2})$/;
const MAX_INT = 2_147_483_647;

/** Whether the log contains every event that the caller sees. @type {(context: Context) => boolean} */
export const isWhole = ({ log, request: { role = 'admin' } }) => role === 'admin' && log.events.length === log.total;

/** @type {(text: string | null, least: number, most: number) => boolean} */
const isNumber = (text, least, most) => text === null || (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most);

/** @type {(parameters: URLSearchParams) => boolean} */
export const isPage = (parameters) =>
  isNumber(parameters.get('limit'), 1, 1000) && isNumber(parameters.get('offset'), 0, MAX_INT);

/** Whether a list of the search has no value. @type {(parameters: URLSearchParams) => boolean} */
export const hasEmptyList = (parameters) =>
  LISTS.some(
    (name) => LIST.test(parameters.get(name) ?? '') && valuesIn(parameters.get(name) ?? '').every((value) => value === ''),
  );

/** Whether the text or a list of the search exceeds a limit of the gateway. @type {(parameters: URLSearchParams) => boolean} */
export const isTooLong = (parameters) =>
  (parameters.get('query') ?? '').length > 1000 || LISTS.some((name) => valuesIn(parameters.get(name) ?? '').length > 500);

/** Whether a parameter is a known one with brackets or in another case. @type {(parameters: URLSearchParams) => boolean} */
export const hasOtherForm = (parameters) =>
  [...parameters.keys()].some(
    (name) => !KNOWN.includes(name) && KNOWN.some((known) => known.toLowerCase() === name.replace(/\[.*/, '').toLowerCase()),
  );

/** Whether `from` or `to` is a day that no calendar has. @type {(parameters: URLSearchParams) => boolean} */
export const hasImpossibleDay = (parameters) =>
  ['from', 'to'].some((name) => {
    const [, ...numbers] = DAY.exec(parameters.get(name) ?? '') ?? [];
    const [year = 1, month = 1, day = 1] = numbers.map(Number);
    return year === 0 || new Date(Date.UTC(2000 + (year % 400), month - 1, day)).getUTCDate() !== day || month < 1 || month > 12;
  });

/** Whether `data` contains the text in any case. @type {(query: string, event: {data: unknown}) => boolean} */
export const hasInData = (query, { data }) => data !== null && JSON.stringify(data).toLowerCase().includes(query.toLowerCase());

/**
 * Checks that all events of the gateway contain the text in `data`, and that none is missing if the whole log is known.
 * @type {(context: Context) => boolean}
 */
export function isLiteral(context) {
  const query = parametersOf(context.request).get('query');
  return query ? isSelection(context, ['query'], (event) => hasInData(query, event)) : false;
}

/**
 * Checks that a filter of newer servers is rejected only if it is malformed, and otherwise selects the events that it names.
 * @type {(context: Context) => boolean}
 */
export function appliesNewerFilters(context) {
  const parameters = parametersOf(context.request);
  const given = NEWER.filter((name) => parameters.has(name));
  const isValid = (/** @type {string} */ name) =>
    parameters.getAll(name).length === 1 &&
    LIST.test(parameters.get(name) ?? '') &&
    (name !== 'id' ||
      valuesIn(parameters.get(name) ?? '').every((id) => /^-?\d{1,10}$/.test(id) && Math.abs(Number(id)) <= MAX_INT));
  if (given.length === 0) return false;
  if (context.answers.gateway.status === 400) return !given.every(isValid);
  const named = (/** @type {any} */ event) =>
    given.every((name) => valuesIn(parameters.get(name) ?? '').includes(String(event[name])));
  return isSelection(context, given, named);
}

/**
 * Checks that all events of the gateway match. Also checks their total if only `parameters` filter and the whole log is known.
 * @type {(context: Context, parameters: string[], isSelected: (event: LoggedEvent) => boolean) => boolean}
 */
function isSelection(context, parameters, isSelected) {
  const { events, total } = context.answers.gateway.body;
  if (!events?.every(isSelected)) return false;
  const isAlone = [...parametersOf(context.request).keys()].every((name) => [...parameters, ...PAGE].includes(name));
  return !isAlone || !isWhole(context) || total === context.log.events.filter(isSelected).length;
}

/**
 * Checks that Unleash reads the name of the flag as another name, and that the gateway returns the events of exactly this flag.
 * @type {(context: Context) => boolean}
 */
export function isExactly(context) {
  const name = decodeURIComponent(context.request.path.slice(FLAG.length));
  const { toggleName, events, totalEvents } = context.answers.gateway.body;
  const isOne = (/** @type {{featureName: string | null}} */ { featureName }) => featureName === name;
  const isRead = name.includes(',') || name !== name.trim() || /[\n\r\u2028\u2029]/.test(name);
  if (!isRead || toggleName !== name || !events.every(isOne) || totalEvents !== events.length) return false;
  return !isWhole(context) || totalEvents === context.log.events.filter(isOne).length;
}

const WIDER = `query ($filter: EventFilter, $offset: Int!, $limit: Int!) {
  searchEvents(filter: $filter, offset: $offset, limit: $limit) { total events { id } }
}`;

/**
 * Checks that the gateway returns the expected events or total when it searches the given fields.
 * @type {(context: Context, searchIn: string[], path: string, expected: unknown) => Promise<boolean>}
 */
export async function findsWithin({ sides, request }, searchIn, path, expected) {
  const parameters = parametersOf(request);
  const query = parameters.get('query');
  if (!query) return false;
  const values = (/** @type {string} */ name) => (parameters.has(name) ? valuesIn(parameters.get(name) ?? '') : undefined);
  const variables = {
    filter: {
      query,
      searchIn,
      features: values('feature'),
      projects: values('project'),
      typeNames: values('type'),
      createdByUserIds: values('createdBy')?.map(Number),
      environments: values('environment'),
      ids: values('id')?.map(Number),
      from: values('from')?.[0],
      to: values('to')?.[0],
    },
    offset: Number(parameters.get('offset') ?? 0),
    limit: Number(parameters.get('limit') ?? 50),
  };
  const { body } = await send(sides.gateway, {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: WIDER, variables }),
    role: request.role,
  });
  // A GraphQL error explains nothing.
  if (!body?.data?.searchEvents) return false;
  const { total, events } = body.data.searchEvents;
  if (path === 'total') return expected === total;
  // The order of events with the same time can differ.
  const sorted = (/** @type {unknown[]} */ ids) => ids.toSorted((a, b) => Number(a) - Number(b));
  return isDeepStrictEqual(
    sorted(/** @type {unknown[]} */ (expected)),
    sorted(events.map((/** @type {{id: number}} */ { id }) => id)),
  );
}
