import type { Read, TextRow } from '../database/read.js';
import { createCountTables } from '../event-counts/event-counts.store.js';
import { Prisma } from '../generated/prisma/client.js';
import type { CountReads, CountSince, PageWithEpoch } from '../log-version/counted-log.js';
import { type Epoch, type EpochSource, GATEWAY_EPOCH, isSameEpoch } from '../log-version/epoch.store.js';
import type { EpochCount } from '../log-version/version.js';
import { createWatermarkStore } from '../log-version/watermark.store.js';
import { createSelectiveParts, type SelectiveParts } from '../text-search/selective-part.js';
import { readTextSample } from '../text-search/text-sample.store.js';
import { Event, type EventCriteria, type EventField, type EventPosition } from './event.js';
import { type EventSelection, selectFor } from './event-columns.store.js';
import { toCondition, toRow } from './event-conditions.store.js';
import type { EventWindow, OffsetPage } from './event-page.js';
import { type EventList, findListWithOnePlan, selectCount, selectPage, selectWindow } from './event-queries.store.js';

export type EventStore = ReturnType<typeof createEventStore>;
export type EventReads = ReturnType<typeof createReads>;

/** The queries of the events' API. `withSignal` returns the same reads, which PostgreSQL cancels when the signal is aborted. */
export function createEventStore(read: Read, epochs: EpochSource = GATEWAY_EPOCH) {
  const selectiveParts = createSelectiveParts(() => readTextSample(read));
  const bind = (signal?: AbortSignal) =>
    createReads(signal ? (query, options) => read(query, { ...options, signal }) : read, epochs, selectiveParts);
  return { ...bind(), ...createWatermarkStore(read, epochs), withSignal: bind };
}

function createReads(read: Read, epochs: EpochSource, selectiveParts: SelectiveParts) {
  const condition: ToCondition = (criteria) => toCondition(criteria, selectiveParts);
  const toList: ToList = async (criteria, mayHaveOnePlan) =>
    (mayHaveOnePlan ? findListWithOnePlan(criteria) : null) ?? { condition: await condition(criteria), hasOnePlan: false };
  return {
    ...createLists(read, condition, toList),
    ...createCounts(read, condition, toList, epochs),
    ...createCountTables(read, condition, epochs),

    /** Estimates the rows that a search for a text reads, as a share of all events. */
    async estimateShare({ literal, in: kinds }: NonNullable<EventCriteria['text']>): Promise<number> {
      const shares = await Promise.all(kinds.map((kind) => selectiveParts.estimateShare(literal, kind)));
      return Math.min(
        1,
        shares.reduce((sum, share) => sum + share, 0),
      );
    },
  };
}

/** Returns the SQL condition for the criteria. */
type ToCondition = (criteria: EventCriteria) => Promise<Prisma.Sql>;

/** Returns the list of the events that match. @param mayHaveOnePlan false for queries whose plan depends on other values */
type ToList = (criteria: EventCriteria, mayHaveOnePlan: boolean) => Promise<EventList>;

function createLists(read: Read, condition: ToCondition, toList: ToList) {
  const readEvents = async (query: Prisma.Sql, isPrepared: boolean): Promise<Event[]> =>
    (await readTexts(read, query, isPrepared)).map((row) => new Event(row));
  return {
    async listPage(criteria: EventCriteria, page: OffsetPage, fields?: readonly EventField[]): Promise<Event[]> {
      const list = await toList(criteria, page.offset === 0);
      return readEvents(selectPage(list, page, selectFor(fields)), list.hasOnePlan);
    },

    /** Returns up to `size` events next to one end of the window, newest first. */
    async listWindow(criteria: EventCriteria, window: EventWindow, fields?: readonly EventField[]): Promise<Event[]> {
      const list = await toList(criteria, true);
      const events = await readEvents(selectWindow(list, window, selectFor(fields)), list.hasOnePlan);
      return window.from === 'newest' ? events : events.reverse();
    },

    /** Returns whether an event matches at a position or beyond it. */
    async existsFrom(criteria: EventCriteria, position: EventPosition, direction: 'newer' | 'older'): Promise<boolean> {
      const comparison = direction === 'newer' ? Prisma.sql`>=` : Prisma.sql`<=`;
      const rows = await read(Prisma.sql`
        SELECT 1 FROM events WHERE ${await condition(criteria)} AND (created_at, id) ${comparison} ${toRow(position)} LIMIT 1`);
      return rows.length > 0;
    },

    async find(id: number, criteria: EventCriteria): Promise<Event | null> {
      const [event] = await readEvents(
        Prisma.sql`SELECT ${Prisma.raw(selectFor().list)} FROM events WHERE id = ${id}::int AND ${await condition(criteria)}`,
        false,
      );
      return event ?? null;
    },
  };
}

/** The names of the columns of a head, see `readTogether`. */
const HEAD = ['epoch', 'server', 'between', 'newer'] as const;
const HEAD_COLUMNS = Prisma.raw(HEAD.join(', '));
const NO_HEAD = Prisma.raw(HEAD.map(() => 'NULL').join(', '));

function createCounts(read: Read, condition: ToCondition, toList: ToList, epochs: EpochSource): CountReads {
  /**
   * Reads the one row of `head` and the events of a page in one statement, and so at one moment. The head is the first row. PostgreSQL keeps
   * the order of UNION ALL, because a query with LIMIT runs in no parallel worker.
   */
  const readTogether = async (
    head: Prisma.Sql,
    page: Prisma.Sql,
    { list, width }: EventSelection,
    isPrepared: boolean,
  ): Promise<CountSince & PageWithEpoch> => {
    const noEvent = Prisma.raw(Array.from({ length: width }, () => 'NULL').join(', '));
    const [first = [], ...rows] = await readTexts(
      read,
      Prisma.sql`
        SELECT ${noEvent}, ${HEAD_COLUMNS} FROM (${head}) AS head
        UNION ALL SELECT ${Prisma.raw(list)}, ${NO_HEAD} FROM (${page}) AS page`,
      isPrepared,
    );
    const [epoch, server, between, newer] = first.slice(width);
    if (epoch == null || server == null) throw new Error('The first row of a page is not its head.');
    return { epoch, server, between: Number(between), newer: Number(newer), events: rows.map((row) => new Event(row)) };
  };

  return {
    async count(criteria, range) {
      const list = await toList(criteria, range.isShort);
      return only(await read<CountSince>(selectCount(epochs, list, range), { isPrepared: list.hasOnePlan }));
    },

    async countAndListPage(criteria, page, range, fields) {
      const list = await toList(criteria, range.isShort && page.offset === 0);
      return readTogether(
        selectCount(epochs, list, range),
        selectPage(list, page, selectFor(fields)),
        selectFor(fields),
        list.hasOnePlan,
      );
    },

    async listPageWithEpoch(criteria, page, fields) {
      const list = await toList(criteria, page.offset === 0);
      const head = Prisma.sql`SELECT ${epochs.columns}, NULL AS between, NULL AS newer`;
      return readTogether(head, selectPage(list, page, selectFor(fields)), selectFor(fields), list.hasOnePlan);
    },

    async countUpTo(criteria, upTo) {
      // The epoch is read first: a change made during the count may or may not be counted, but it has another epoch either way.
      const before = only(await read<Epoch>(Prisma.sql`SELECT ${epochs.columns}`));
      const counted = only(
        await read<EpochCount>(Prisma.sql`
          SELECT ${epochs.columns}, count(*)::int AS count FROM events WHERE ${await condition(criteria)} AND id <= ${upTo}::int`),
      );
      return isSameEpoch(counted, before) ? counted : null;
    },
  };
}

function readTexts(read: Read, query: Prisma.Sql, isPrepared: boolean): Promise<TextRow[]> {
  return read<TextRow>(query, { isPrepared, isText: true });
}

/** Returns the row of a query that always returns one. */
function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A query that returns one row returned none.');
  return row;
}
