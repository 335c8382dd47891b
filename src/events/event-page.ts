import type { Problems } from '../errors.js';
import { MAX_INT } from '../formats/integer.js';
import { isStoredTime } from '../formats/stored-time.js';
import type { EventPosition } from './event.js';

/** Spec 8: the default and the maximum of `limit`. */
export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1000;

/** The default size of a page of an export. It is larger than `DEFAULT_LIMIT`, because a client reads all pages of an export. */
export const EXPORT_PAGE = 500;

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

/** Selects successive events, in the order that `EventPosition` describes. */
export type EventSlice = OffsetPage | EventWindow;

/** The events with ids above `after`, if it is not null, and up to and including `upTo`. */
export interface IdRange {
  readonly after: number | null;
  readonly upTo: number;
}

/** The arguments of a page in the order of ids. */
export interface ExportArgs {
  readonly after?: number | null | undefined;
  readonly upTo?: number | null | undefined;
  readonly first: number;
}

export function checkExportArgs({ first }: ExportArgs, problems: Problems): void {
  checkPageSize('first', first, problems);
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

/** Encodes a position as a cursor, which is opaque to clients. The cursor stays valid after its event is deleted. */
export function toCursor({ createdAt, id }: EventPosition): string {
  return Buffer.from(`${createdAt},${id}`).toString('base64url');
}

const POSITION = /^(.+),(-?\d{1,10})$/;

function parseCursor(path: string, cursor: string | null | undefined, problems: Problems): EventPosition | null {
  if (cursor === null || cursor === undefined) return null;
  const [, createdAt = '', id] = POSITION.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (isStoredTime(createdAt) && Math.abs(Number(id)) <= MAX_INT) return { createdAt, id: Number(id) };
  problems.add(path, 'must be a cursor that this API returned');
  return null;
}
