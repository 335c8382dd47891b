import { Prisma } from '../generated/prisma/client.js';
import type { CountRange } from '../log-version/counted-log.js';
import type { EpochSource } from '../log-version/epoch.store.js';
import type { EventSelection } from './event-columns.store.js';
import { toWindowCondition } from './event-conditions.store.js';
import { type EventSlice, type EventWindow, type IdRange, MAX_LIMIT, type OffsetPage } from './event-page.js';
import { type EventList, hide } from './one-plan.store.js';

const NEWEST_FIRST = Prisma.sql`ORDER BY created_at DESC, id DESC`;
const OLDEST_FIRST = Prisma.sql`ORDER BY created_at, id`;

/**
 * The constant limit of the inner query in `selectFirst`. The outer query applies the limit of the request, which is never
 * larger, and which is hidden from the planner. Without the constant, the planner would expect to read a tenth of all rows.
 */
const LARGEST_LIST = MAX_LIMIT + 1;

/** Returns the query for a slice. A window is read from its newest or its oldest event. */
export function selectSlice(list: EventList, slice: EventSlice, columns: EventSelection): Prisma.Sql {
  return 'offset' in slice ? selectPage(list, slice, columns) : selectWindow(list, slice, columns);
}

function selectPage({ condition, hasOnePlan }: EventList, { offset, limit }: OffsetPage, columns: EventSelection): Prisma.Sql {
  if (hasOnePlan && offset === 0) return selectFirst(condition, NEWEST_FIRST, limit, columns);
  const select = Prisma.sql`SELECT ${Prisma.raw(columns.list)} FROM events`;
  if (offset === 0) return Prisma.sql`${select} WHERE ${condition} ${NEWEST_FIRST} LIMIT ${limit}`;
  // The inner query skips entries of an index, without reading the rows of the skipped events.
  return Prisma.sql`
    ${select} WHERE id IN (SELECT id FROM events WHERE ${condition} ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}) ${NEWEST_FIRST}`;
}

/** Selects a page between two optional cursors. event-conditions.store.ts compares the events with the cursors. */
function selectWindow({ condition, hasOnePlan }: EventList, window: EventWindow, columns: EventSelection): Prisma.Sql {
  const order = window.from === 'newest' ? NEWEST_FIRST : OLDEST_FIRST;
  const inWindow = Prisma.sql`${condition} AND ${toWindowCondition(window, hasOnePlan ? hide : undefined)}`;
  if (hasOnePlan) return selectFirst(inWindow, order, window.size, columns);
  return Prisma.sql`SELECT ${Prisma.raw(columns.list)} FROM events WHERE ${inWindow} ${order} LIMIT ${window.size}`;
}

const BY_ID = Prisma.sql`ORDER BY id`;

/**
 * Selects events in the order of their ids. PostgreSQL plans the query for its values. If matches are frequent, it follows the
 * primary key. If they are rare, it finds all of them by another index and sorts them.
 */
export function selectRange(condition: Prisma.Sql, range: IdRange, size: number, { list }: EventSelection): Prisma.Sql {
  return Prisma.sql`
    SELECT ${Prisma.raw(list)} FROM events WHERE ${condition} AND ${inRange(range)} ${BY_ID} LIMIT ${size}`;
}

export function selectRangeCount(condition: Prisma.Sql, range: IdRange): Prisma.Sql {
  return Prisma.sql`SELECT count(*)::int AS count FROM events WHERE ${condition} AND ${inRange(range)}`;
}

function inRange({ after, upTo }: IdRange): Prisma.Sql {
  const above = after === null ? Prisma.sql`true` : Prisma.sql`id > ${after}::int`;
  return Prisma.sql`${above} AND id <= ${upTo}::int`;
}

function selectFirst(condition: Prisma.Sql, order: Prisma.Sql, limit: number, { list }: EventSelection): Prisma.Sql {
  const columns = Prisma.raw(list);
  return Prisma.sql`
    SELECT ${columns} FROM (
      SELECT ${columns} FROM events WHERE ${condition} ${order} LIMIT ${Prisma.raw(String(LARGEST_LIST))}
    ) AS first ${order} LIMIT ${hide(Prisma.sql`${limit}::int`)}`;
}

/** A limit above any number of events. */
const NO_LIMIT = Prisma.raw('2147483647');

/**
 * Selects the epoch (log-version/epoch.store.ts) and two numbers of matching events. `between` counts the ids above `after` and
 * up to `upTo`. `newer` counts the ids above `upTo`.
 */
export function selectCount(
  { columns }: EpochSource,
  { condition, hasOnePlan }: EventList,
  { after, upTo }: CountRange,
): Prisma.Sql {
  if (!hasOnePlan || after === null) {
    const beyond = after === null ? Prisma.sql`true` : Prisma.sql`id > ${after}::int`;
    return selectNumbers(columns, Prisma.sql`events WHERE ${condition} AND ${beyond}`, Prisma.sql`${upTo}::int`);
  }
  const newest = selectNewest(hide(Prisma.sql`${after}::int`));
  return selectNumbers(columns, Prisma.sql`(${newest}) AS events WHERE ${condition}`, hide(Prisma.sql`${upTo}::int`));
}

/**
 * Selects the events above an id. The limit excludes none of them, but PostgreSQL never merges a subquery with a limit into the
 * outer query. It therefore reads only this short range of ids, and not all events that match the outer filter.
 */
export function selectNewest(after: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT * FROM events WHERE id > ${after} ORDER BY id LIMIT ${hide(NO_LIMIT)}`;
}

function selectNumbers(columns: Prisma.Sql, from: Prisma.Sql, upTo: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT ${columns}, count(*) FILTER (WHERE id <= ${upTo})::int AS between, count(*) FILTER (WHERE id > ${upTo})::int AS newer
    FROM ${from}`;
}
