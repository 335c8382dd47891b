import type { Read } from '../database/read.js';
import { Prisma } from '../generated/prisma/client.js';
import type { CountReads, CountSince, PageWithEpoch } from '../log-version/counted-log.js';
import { type Epoch, type EpochSource, GATEWAY_EPOCH, isSameEpoch } from '../log-version/epoch.store.js';
import type { EpochCount } from '../log-version/version.js';
import { createWatermarkStore } from '../log-version/watermark.store.js';
import { createSelectiveParts, type SelectiveParts } from '../text-search/selective-part.js';
import { readTextSample } from '../text-search/text-sample.store.js';
import { Event, type EventCriteria, type EventPosition, type EventRow } from './event.js';
import { EVENT_FIELDS, selectList } from './event-columns.store.js';
import { toCondition, toRow, toWindowCondition } from './event-conditions.store.js';
import type { EventWindow, OffsetPage } from './event-page.js';

export type EventStore = ReturnType<typeof createEventStore>;
export type EventReads = ReturnType<typeof createReads>;

const SELECT_EVENT = Prisma.raw(selectList('US'));
const SORT_COLUMN = Prisma.sql`, created_at`;
const PAGE_FIELDS = Prisma.raw(EVENT_FIELDS.map((field) => `page."${field}"`).join(', '));
const NEWEST_FIRST = Prisma.sql`ORDER BY created_at DESC, id DESC`;

/** The queries of the events' API. `withSignal` returns the same reads, which PostgreSQL cancels when the signal is aborted. */
export function createEventStore(read: Read, epochs: EpochSource = GATEWAY_EPOCH) {
  const selectiveParts = createSelectiveParts(() => readTextSample(read));
  const bind = (signal?: AbortSignal) =>
    createReads(signal ? (query, kind) => read(query, kind, signal) : read, epochs, selectiveParts);
  return { ...bind(), ...createWatermarkStore(read, epochs), withSignal: bind };
}

function createReads(read: Read, epochs: EpochSource, selectiveParts: SelectiveParts) {
  const condition: ToCondition = (criteria) => toCondition(criteria, selectiveParts);
  return {
    ...createLists(read, condition),
    ...createCounts(read, condition, epochs),

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

function createLists(read: Read, condition: ToCondition) {
  const readEvents = async (query: Prisma.Sql, kind?: 'prepared'): Promise<Event[]> =>
    (await read<EventRow>(query, kind)).map((row) => new Event(row));
  return {
    listPage: async (criteria: EventCriteria, page: OffsetPage): Promise<Event[]> =>
      readEvents(selectPage(await condition(criteria), page), planOf(criteria)),

    /** Returns up to `size` events next to one end of the window, newest first. */
    async listWindow(criteria: EventCriteria, window: EventWindow): Promise<Event[]> {
      const fromNewest = window.from === 'newest';
      const order = fromNewest ? Prisma.sql`created_at DESC, id DESC` : Prisma.sql`created_at, id`;
      const events = await readEvents(
        Prisma.sql`
        SELECT ${SELECT_EVENT} FROM events
        WHERE ${await condition(criteria)} AND ${toWindowCondition(window)} ORDER BY ${order} LIMIT ${window.size}`,
        planOf(criteria),
      );
      return fromNewest ? events : events.reverse();
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
        Prisma.sql`SELECT ${SELECT_EVENT} FROM events WHERE id = ${id}::int AND ${await condition(criteria)}`,
      );
      return event ?? null;
    },
  };
}

function createCounts(read: Read, condition: ToCondition, epochs: EpochSource): CountReads {
  /** Reads one row of `head` and the events of a page in one statement, and so at one moment. */
  const readTogether = async <Head>(
    head: Prisma.Sql,
    page: Prisma.Sql,
  ): Promise<Head & { readonly events: readonly Event[] }> => {
    const rows = await read<Head & (EventRow | { readonly id: null })>(Prisma.sql`
      SELECT head.*, ${PAGE_FIELDS} FROM (${head}) AS head LEFT JOIN (${page}) AS page ON true
      ORDER BY page.created_at DESC, page.id DESC`);
    const events = rows.flatMap((row) => (row.id === null ? [] : [new Event(row)]));
    return { ...only(rows), events };
  };

  return {
    async count(criteria, after, upTo) {
      return only(await read<CountSince>(selectCount(epochs, await condition(criteria), after, upTo)));
    },

    async countAndListPage(criteria, page, after, upTo) {
      const matches = await condition(criteria);
      return readTogether<CountSince>(selectCount(epochs, matches, after, upTo), selectPage(matches, page, SORT_COLUMN));
    },

    async listPageWithEpoch(criteria, page): Promise<PageWithEpoch> {
      return readTogether<Epoch>(Prisma.sql`SELECT ${epochs.columns}`, selectPage(await condition(criteria), page, SORT_COLUMN));
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

/** Returns the row of a query that always returns one. */
function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A query that returns one row returned none.');
  return row;
}

function selectCount({ columns }: EpochSource, matches: Prisma.Sql, after: number | null, upTo: number): Prisma.Sql {
  const beyond = after === null ? Prisma.sql`true` : Prisma.sql`id > ${after}::int`;
  return Prisma.sql`
    SELECT ${columns}, count(*) FILTER (WHERE id <= ${upTo}::int)::int AS between,
      count(*) FILTER (WHERE id > ${upTo}::int)::int AS newer
    FROM events WHERE ${matches} AND ${beyond}`;
}

/** @param more further columns */
function selectPage(matches: Prisma.Sql, { offset, limit }: OffsetPage, more = Prisma.empty): Prisma.Sql {
  const columns = Prisma.sql`${SELECT_EVENT}${more}`;
  if (offset === 0) return Prisma.sql`SELECT ${columns} FROM events WHERE ${matches} ${NEWEST_FIRST} LIMIT ${limit}`;
  // The inner query skips within the index, without reading the skipped rows.
  return Prisma.sql`
    SELECT ${columns} FROM events
    WHERE id IN (SELECT id FROM events WHERE ${matches} ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}) ${NEWEST_FIRST}`;
}

/**
 * Pages of the whole log and of one flag read the same index for any values, so one plan per connection serves them. They are the most
 * frequent reads, and planning is most of their cost.
 */
function planOf({ featureNames, ...others }: EventCriteria): 'prepared' | undefined {
  const isPlain = Object.values(others).every((criterion) => criterion === undefined);
  return isPlain && (featureNames === undefined || featureNames.length === 1) ? 'prepared' : undefined;
}
