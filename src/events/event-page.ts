import type { Problems } from '../errors.js';
import { isCalendarDate } from '../formats/date-time.js';
import { MAX_INT } from '../formats/integer.js';
import type { EventPosition } from './event.js';

/** Spec 8: the default and the maximum of `limit`. */
export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1000;

export const LIMIT_RULE = `must be a whole number from 1 to ${MAX_LIMIT}`;
export const OFFSET_RULE = `must be a whole number from 0 to ${MAX_INT}`;
const PAGE_SIZE_RULE = `must be a whole number from 0 to ${MAX_LIMIT}`;

export interface OffsetPage {
  readonly offset: number;
  readonly limit: number;
}

export function checkOffsetPage({ offset, limit }: OffsetPage, problems: Problems): void {
  if (!(offset >= 0 && offset <= MAX_INT)) problems.add('offset', OFFSET_RULE);
  if (!(limit >= 1 && limit <= MAX_LIMIT)) problems.add('limit', LIMIT_RULE);
}

/** The arguments of a Relay connection. */
export interface ConnectionArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** A page of a connection: `size` events from one end of the range between two positions. */
export interface EventWindow {
  readonly after: EventPosition | null;
  readonly before: EventPosition | null;
  readonly from: 'newest' | 'oldest';
  readonly size: number;
}

export function parseWindow(args: ConnectionArgs, problems: Problems): EventWindow {
  const { first, last } = args;
  if (isNumber(first) && isNumber(last)) problems.add('last', 'cannot be combined with first');
  checkPageSize('first', first, problems);
  checkPageSize('last', last, problems);
  return {
    after: parseCursor('after', args.after, problems),
    before: parseCursor('before', args.before, problems),
    from: isNumber(last) ? 'oldest' : 'newest',
    size: last ?? first ?? DEFAULT_LIMIT,
  };
}

function isNumber(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}

function checkPageSize(path: string, size: number | null | undefined, problems: Problems): void {
  if (isNumber(size) && (size < 0 || size > MAX_LIMIT)) problems.add(path, PAGE_SIZE_RULE);
}

/** Whether PostgreSQL can store the day. Its years have an era outside 0001 to 9999. */
function isDay(digits: string, day: string, era: string | undefined): boolean {
  if (era === undefined) return digits.length === 4 && isCalendarDate(`${digits}${day}`);
  const year = era === ' BC' ? 1 - Number(digits) : Number(digits);
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const isInRange = (year > -4713 || (year === -4713 && day >= '-11-24')) && year <= 294_276;
  return isInRange && isCalendarDate(`${isLeapYear ? 2024 : 2023}${day}`);
}

/** A cursor is opaque to clients. It encodes a position in the order, which stays valid after the event itself is deleted. */
export function toCursor({ createdAt, id }: EventPosition): string {
  return Buffer.from(`${createdAt},${id}`).toString('base64url');
}

const POSITION = /^(-?infinity|(\d{4,6})(-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z( AD| BC)?),(-?\d{1,10})$/;

function parseCursor(path: string, cursor: string | null | undefined, problems: Problems): EventPosition | null {
  if (cursor === null || cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, createdAt, year = '', day = '', , era, id] = POSITION.exec(text) ?? [];
  const isTime = year === '' ? createdAt !== undefined : isDay(year, day, era);
  if (!isTime || Math.abs(Number(id)) > MAX_INT) {
    problems.add(path, 'must be a cursor that this API returned');
    return null;
  }
  return { createdAt: text.slice(0, text.indexOf(',')), id: Number(id) };
}
