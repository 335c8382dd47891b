import { isDeepStrictEqual } from 'node:util';
import { hasInData, isWhole, LISTS } from './evidence.mjs';
import { parametersOf, search, valuesIn } from './request.mjs';
import { send } from './send.mjs';

/** @typedef {import('./differences.mjs').Context} Context */
/** @typedef {import('./log.mjs').LoggedEvent} LoggedEvent */

const DAY_MS = 86_400_000;
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** The fields that have other names than their filters. @type {Record<string, string>} */
const FIELDS = { feature: 'featureName', createdBy: 'createdByUserId' };

/**
 * Checks that the gateway returns events of the requested days in UTC, and the right total. If the whole log is known, the total
 * is the number of selected events. Otherwise, it is between the totals of the peer for ranges that are a day shorter and a day
 * longer at each end, because no time zone is a day from UTC.
 * @param {Context} context
 */
export async function isOfUtcDays(context) {
  const parameters = parametersOf(context.request);
  if (!parameters.has('from') && !parameters.has('to')) return false;
  const { events, total } = context.answers.gateway.body;
  const offset = Number(parameters.get('offset') ?? 0);
  const limit = Number(parameters.get('limit') ?? 50);
  const isSelected = (/** @type {LoggedEvent} */ event) => isWithinDays(parameters, event) && isNamed(parameters, event);
  if (!events?.every(isSelected) || events.length !== Math.max(0, Math.min(limit, total - offset))) return false;
  if (!isWhole(context)) return isBetweenRanges(context, total);
  const expected = context.log.events.filter(isSelected);
  // The order of events with the same time can differ.
  return total === expected.length && isDeepStrictEqual(timesOf(events), timesOf(expected).slice(offset, offset + limit));
}

/** @type {(parameters: URLSearchParams, event: LoggedEvent) => boolean} */
function isWithinDays(parameters, { createdAt }) {
  const [from, to] = daysOf(parameters);
  const time = Date.parse(createdAt);
  return (from === undefined || time >= Date.parse(from)) && (to === undefined || time < Date.parse(to) + DAY_MS);
}

/** Whether the other filters select the event. @type {(parameters: URLSearchParams, event: any) => boolean} */
function isNamed(parameters, event) {
  const query = parameters.get('query');
  return (
    LISTS.filter((name) => parameters.has(name)).every((name) =>
      valuesIn(parameters.get(name) ?? '').includes(String(event[FIELDS[name] ?? name])),
    ) &&
    (query === null || hasInData(query, event))
  );
}

/** @type {(context: Context, total: number) => Promise<boolean>} */
async function isBetweenRanges(context, total) {
  const most = await countOnPeer(context, 1);
  if (most === undefined || total > most) return false;
  // The peer also finds the text in other fields, so that its number for the shorter range can be larger.
  if (parametersOf(context.request).has('query')) return true;
  const least = await countOnPeer(context, -1);
  return least !== undefined && total >= least;
}

/**
 * Returns the peer's number of events in the range with this many days more at each end.
 * @type {(context: Context, days: number) => Promise<number | undefined>}
 */
async function countOnPeer({ sides, request }, days) {
  const parameters = parametersOf(request);
  const [from, to] = daysOf(parameters);
  const first = from === undefined ? undefined : shift(from, -days);
  const last = to === undefined ? undefined : shift(to, days);
  if ((first ?? FIRST_DAY) > (last ?? LAST_DAY)) return 0;
  const { from: _, to: __, offset: ___, ...others } = Object.fromEntries(parameters);
  const range = { ...(first !== undefined && { from: `IS:${first}` }), ...(last !== undefined && { to: `IS:${last}` }) };
  const { body } = await send(sides.peer, { ...search({ ...others, ...range, limit: 1 }), role: request.role });
  return body?.total;
}

/** @param {URLSearchParams} parameters */
const daysOf = (parameters) => ['from', 'to'].map((name) => parameters.get(name)?.slice('IS:'.length));

/** Stays within the years that have four digits. @type {(day: string, days: number) => string} */
function shift(day, days) {
  const time = Math.max(Date.parse(FIRST_DAY), Math.min(Date.parse(LAST_DAY), Date.parse(day) + days * DAY_MS));
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the times of the events, the newest first. @type {(events: LoggedEvent[]) => number[]} */
const timesOf = (events) => events.map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => b - a);
