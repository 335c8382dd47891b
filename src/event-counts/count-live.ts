import type { EventCriteria } from '../events/event.js';
import type { OpenLog } from '../events/log-reader.js';
import { toKey } from '../log-version/totals.js';
import { type Buckets, divide, estimateAutoUnit, listSpareStarts } from './buckets.js';
import { combine } from './combine-counts.js';
import type { AddedCells, CountTable } from './count-table.js';
import type { CountsRequest } from './event-counts.js';
import { covers, extend, hasStarts, type KeptTable, keepTable, refine, settleTable } from './kept-table.js';
import { findMostGroups, TOO_LARGE } from './kept-tables.js';
import { type Bounds, findUnreadSpans } from './range-cut.js';
import { findBounds, findRange } from './time-range.js';
import { toText } from './time-text.js';

/** Counts of a range that ended longer ago than this are not cached, because dashboards do not request them every few seconds. */
const LIVE_MS = 24 * 60 * 60 * 1000;

/** Counts at one moment, made from a cached table. */
export interface LiveCounts {
  readonly table: CountTable;
  readonly buckets: Buckets | null;
  /** The number of events that were read for the counts. */
  readonly rowsRead: number;
  /** Whether this request built the cached table. If so, the next such request reads fewer events. */
  readonly isNew: boolean;
}

/**
 * Counts from a cached table (kept-table.ts) and the events that are newer than the table. The first request with the same
 * filter, dimension, interval and time zone builds the table.
 * @returns null if no table serves the request. The caller then counts all events in one statement
 */
export async function countLive(log: OpenLog, criteria: EventCriteria, request: CountsRequest): Promise<LiveCounts | null> {
  const { reads, totals, tables } = log;
  const bounds = findBounds(criteria);
  if (!isLive(request, bounds)) return null;
  const unbounded = withoutRange(criteria);
  const key = toTableKey(criteria, request, bounds);
  const kept = tables.findRecent(key);
  if (kept === TOO_LARGE) return null;
  if (kept && !covers(kept, bounds)) tables.delete(key);
  const starts = kept && covers(kept, bounds) ? kept.starts : await findStarts(log, criteria, request);
  if (!starts) return null;

  let rowsRead = 0;
  let isNew = false;
  const read = await totals.readSettled<KeptTable | typeof TOO_LARGE, AddedCells>({
    key,
    values: tables,
    async readUpTo(upTo, signal) {
      const isBounded = bounds.since !== null;
      const range = isBounded && starts[0] !== undefined ? { since: toText(new Date(starts[0])) } : {};
      const most = findMostGroups(starts);
      const table = await log
        .withSignal(signal)
        .readTableUpTo({ ...unbounded, ...range }, { by: request.by, starts, most, upTo });
      if (!table) return null;
      rowsRead += countEvents(table);
      isNew = true;
      return { ...table, value: table.distinct > most ? TOO_LARGE : keepTable(table, starts, isBounded) };
    },
    readSince: (table, range) => {
      const of = table === TOO_LARGE ? { starts: [], cut: null } : table;
      const spans = findUnreadSpans(of, bounds);
      return reads.readAdded(unbounded, { by: request.by, starts: refine(of, bounds), range, spans });
    },
    settle: (table, { cells }) => (table === TOO_LARGE ? table : settleTable(table, cells, bounds)),
  });
  if (!read || read.value === TOO_LARGE) return null;
  rowsRead += read.added.cells.reduce((sum, { count }) => sum + count, 0);
  const found = await finish(log, criteria, request, bounds, read.value, read.added);
  if (!found) tables.delete(key);
  return found && { ...found, rowsRead, isNew };
}

/** Whether a table that may serve the request is cached or being built. */
export function hasTable({ tables }: OpenLog, criteria: EventCriteria, request: CountsRequest): boolean {
  const bounds = findBounds(criteria);
  const key = toTableKey(criteria, request, bounds);
  return isLive(request, bounds) && tables.has(key) && tables.findRecent(key) !== TOO_LARGE;
}

function toTableKey(criteria: EventCriteria, { by, interval, timeZone }: CountsRequest, { since, until }: Bounds): string {
  // `AUTO` counts a day by hour and a year by week. With one key, each such request would replace the other's table.
  const unit = interval === 'AUTO' && since !== null ? estimateAutoUnit((until ?? Date.now()) - since) : interval;
  return `${toKey(withoutRange(criteria))} ${by} ${unit} ${timeZone}`;
}

function withoutRange(criteria: EventCriteria): EventCriteria {
  return { ...criteria, from: undefined, to: undefined, since: undefined, until: undefined };
}

/** Whether a table can serve the request, and clients probably repeat the request within seconds. */
function isLive({ interval }: CountsRequest, { since, until }: Bounds): boolean {
  if (interval === 'MINUTE') return false;
  if (interval === null) return since === null && until === null;
  return (until === null || until > Date.now() - LIVE_MS) && (since === null || until === null || since < until);
}

/** Returns the starts of a new table's buckets; none without an interval. Null if no event matches, or for minute buckets. */
async function findStarts(
  { reads }: OpenLog,
  criteria: EventCriteria,
  request: CountsRequest,
): Promise<readonly number[] | null> {
  const { interval } = request;
  if (interval === null) return [];
  const range = await findRange(criteria, () => reads.findExtent(criteria));
  if (!range) return null;
  const { unit } = await divide(range, { ...request, interval }, reads);
  return unit === 'minute' ? null : listSpareStarts(unit, range, request.timeZone, reads);
}

/** Makes the counts of a response from a table and the added events. Null if the table does not suffice or nothing matches. */
async function finish(
  { reads }: OpenLog,
  criteria: EventCriteria,
  request: CountsRequest,
  bounds: Bounds,
  table: KeptTable,
  { cells, epoch, server }: AddedCells,
): Promise<Pick<LiveCounts, 'table' | 'buckets'> | null> {
  const added = cells.filter(({ age }) => age === 'new');
  const { interval } = request;
  if (!covers(table, bounds, added)) return null;
  const extent = extend(table, added);
  const isOutside =
    (bounds.since !== null && (extent.last ?? 0) < bounds.since) ||
    (bounds.until !== null && (extent.first ?? 0) >= bounds.until);
  const range = interval && (await findRange(criteria, async () => (isOutside ? { first: null, last: null } : extent)));
  const buckets = interval && range && (await divide(range, { ...request, interval }, reads));
  if (interval && !buckets) return null;
  if (buckets && !hasStarts(table, buckets, bounds)) return null;
  const most = request.by ? request.top : 1;
  return { buckets, table: { ...combine({ table, cells, bounds, buckets, most }), ...extent, epoch, server } };
}

function countEvents({ keys }: CountTable): number {
  return keys.reduce((total, { counts }) => counts.reduce((sum, count) => sum + count, total), 0);
}
