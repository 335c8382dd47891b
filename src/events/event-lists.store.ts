import type { Read } from '../database/read.js';
import { Prisma } from '../generated/prisma/client.js';
import { Event, type EventCriteria, type EventPosition } from './event.js';
import { selectFor } from './event-columns.store.js';
import { toRow } from './event-conditions.store.js';
import type { EventSlice, IdRange } from './event-page.js';
import { selectRange, selectSlice } from './event-selects.store.js';
import { type CutEvents, cutEvents, type PageSelection, type PageSize } from './large-pages.js';
import { mayHaveOnePlan, type ToCondition, type ToList } from './one-plan.store.js';
import { readTexts, type TextRows } from './read-texts.store.js';

/** Runs the queries that list events. event-selects.store.ts has their SQL. */
export function createLists(read: Read, condition: ToCondition, toList: ToList) {
  return {
    /** Returns the events of a slice, newest first. */
    async list(criteria: EventCriteria, slice: EventSlice, { fields, size }: PageSelection = {}): Promise<CutEvents> {
      const list = await toList(criteria, mayHaveOnePlan(slice));
      const query = selectSlice(list, slice, selectFor(fields));
      const rows = await readTexts(read, query, { isPrepared: list.isPrepared, size, rowsInPortions: lengthOf(slice) });
      return toPage(rows, slice, size);
    },

    /** Returns whether an event that matches is at a position, or on the given side of it. */
    async existsFrom(criteria: EventCriteria, position: EventPosition, direction: 'newer' | 'older'): Promise<boolean> {
      const comparison = direction === 'newer' ? Prisma.sql`>=` : Prisma.sql`<=`;
      const rows = await read(Prisma.sql`
        SELECT 1 FROM events WHERE ${await condition(criteria)} AND (created_at, id) ${comparison} ${toRow(position)} LIMIT 1`);
      return rows.length > 0;
    },

    /** Returns up to `first` events, in the order of their ids. */
    async listRange(
      criteria: EventCriteria,
      range: IdRange,
      first: number,
      { fields, size }: PageSelection = {},
    ): Promise<CutEvents> {
      const query = selectRange(await condition(criteria), range, first, selectFor(fields));
      const { rows, isCut } = await readTexts(read, query, { size, rowsInPortions: first });
      return cutEvents({ events: rows.map((row) => new Event(row)), isCut }, size);
    },

    async find(id: number, criteria: EventCriteria): Promise<Event | null> {
      const query = Prisma.sql`
        SELECT ${Prisma.raw(selectFor().list)} FROM events WHERE id = ${id}::int AND ${await condition(criteria)}`;
      const [row] = (await readTexts(read, query)).rows;
      return row ? new Event(row) : null;
    },
  };
}

/** Returns the maximum number of events in a slice. */
export function lengthOf(slice: EventSlice): number {
  return 'offset' in slice ? slice.limit : slice.size;
}

/** Returns the events of a slice, newest first. @param rows the rows in the order in which the slice was selected */
export function toPage({ rows, isCut }: TextRows, slice: EventSlice, size: PageSize | undefined): CutEvents {
  const page = cutEvents({ events: rows.map((row) => new Event(row)), isCut }, size);
  return 'from' in slice && slice.from === 'oldest' ? { ...page, events: page.events.toReversed() } : page;
}
