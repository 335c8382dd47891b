import type { Read } from '../database/read.js';
import type { TextRow } from '../database/text-row-query.js';
import { type CachedStarts, createCachedStarts } from '../event-counts/bucket-starts.store.js';
import { createCountTables } from '../event-counts/event-counts.store.js';
import { createFeedReads } from '../event-feed/event-feed.store.js';
import { Prisma } from '../generated/prisma/client.js';
import type { CountReads, CountSince, EventsWithEpoch } from '../log-version/counted-log.js';
import { type Epoch, type EpochSource, GATEWAY_EPOCH, isSameEpoch } from '../log-version/epoch.store.js';
import type { EpochCount } from '../log-version/version.js';
import { createWatermarkStore, type LogEnd, readLogEnd } from '../log-version/watermark.store.js';
import { createSelectiveParts, type SelectiveParts } from '../text-search/selective-part.js';
import { readTextSample } from '../text-search/text-sample.store.js';
import type { EventCriteria } from './event.js';
import { selectFor } from './event-columns.store.js';
import { toCondition } from './event-conditions.store.js';
import { createLists, lengthOf, toPage } from './event-lists.store.js';
import type { EventSlice, IdRange } from './event-page.js';
import { selectCount, selectRangeCount, selectSlice } from './event-selects.store.js';
import type { PageSelection } from './large-pages.js';
import { createToList, type EventList, mayHaveOnePlan, type ToCondition, type ToList } from './one-plan.store.js';
import { readTexts } from './read-texts.store.js';

export type EventStore = ReturnType<typeof createEventStore>;
export type EventReads = ReturnType<typeof createReads>;

/**
 * Creates the queries of the event log. `withSignal` returns the same reads, which PostgreSQL cancels when the signal is aborted.
 */
export function createEventStore(read: Read, epochs: EpochSource = GATEWAY_EPOCH) {
  const selectiveParts = createSelectiveParts(() => readTextSample(read));
  const cachedStarts = createCachedStarts();
  const bind = (signal?: AbortSignal) =>
    createReads(signal ? addSignal(read, signal) : read, epochs, selectiveParts, cachedStarts);
  return { ...bind(), ...createWatermarkStore(read, epochs), isOwn: epochs.isOwn, withSignal: bind };
}

function addSignal(read: Read, signal: AbortSignal): Read {
  // A spread would make V8 create a hidden class for each query, as `createReads` explains.
  return (query, options) => read(query, Object.assign({}, options, { signal }));
}

function createReads(read: Read, epochs: EpochSource, selectiveParts: SelectiveParts, cachedStarts: CachedStarts) {
  const condition: ToCondition = (criteria) => toCondition(criteria, selectiveParts);
  const toList = createToList(condition, epochs.isOwn);
  const estimates = {
    /** Estimates the rows that a search for a text reads, as a share of all events. */
    async estimateShare({ literal, in: kinds }: NonNullable<EventCriteria['text']>): Promise<number> {
      const shares = await Promise.all(kinds.map((kind) => selectiveParts.estimateShare(literal, kind)));
      return Math.min(
        1,
        shares.reduce((sum, share) => sum + share, 0),
      );
    },
  };
  // Each request creates these objects, because it binds the reads to its signal. `Object.assign` is used instead of spreads: for
  // each object that is built by spreads, V8 creates new hidden classes, one per property. It keeps them until the next full
  // garbage collection (docs/decisions/044-pages-beside-postgraphile.md).
  const others = Object.assign(
    createCountTables(read, condition, toList, epochs, cachedStarts),
    createFeedReads(read, condition, epochs),
    estimates,
  );
  return Object.assign(createLists(read, condition, toList), createCounts(read, condition, toList, epochs), others);
}

/** The columns of the head, the row that `readTogether` puts before the events. */
const HEAD = ['epoch', 'server', 'between', 'newer'] as const;
const HEAD_COLUMNS = Prisma.raw(HEAD.join(', '));
const NO_HEAD = Prisma.raw(HEAD.map(() => 'NULL').join(', '));

/** The queries of an export besides its pages. */
interface RangeReads {
  countRange(criteria: EventCriteria, range: IdRange): Promise<number>;
  readEnd(): Promise<LogEnd>;
}

function createCounts(read: Read, condition: ToCondition, toList: ToList, epochs: EpochSource): CountReads & RangeReads {
  /**
   * Reads the one row of `head` and the events of a slice in one statement, and so at one moment. The head is the first row.
   * PostgreSQL keeps the order of UNION ALL here, because it never moves a part with a LIMIT to a parallel worker.
   */
  const readTogether = async (
    head: Prisma.Sql,
    list: EventList,
    slice: EventSlice,
    { fields, size }: PageSelection = {},
    isShort = true,
  ): Promise<CountSince & EventsWithEpoch> => {
    const columns = selectFor(fields);
    const noEvent = Prisma.raw(Array.from({ length: columns.width }, () => 'NULL').join(', '));
    const {
      rows: [first = [], ...rows],
      isCut,
    } = await readTexts(
      read,
      Prisma.sql`
        SELECT ${noEvent}, ${HEAD_COLUMNS} FROM (${head}) AS head
        UNION ALL SELECT ${Prisma.raw(columns.list)}, ${NO_HEAD} FROM (${selectSlice(list, slice, columns)}) AS slice`,
      // PostgreSQL uses no parallel workers for a query in portions. The count of a long range needs them, so it is read at once.
      { isPrepared: list.isPrepared, size, ...(isShort && { rowsInPortions: 1 + lengthOf(slice) }) },
    );
    return Object.assign(toCount(first.slice(columns.width)), toPage({ rows, isCut }, slice, size));
  };

  return {
    async count(criteria, range) {
      const list = await toList(criteria, range.isShort);
      const { rows } = await readTexts(read, selectCount(epochs, list, range), { isPrepared: list.isPrepared });
      return toCount(only(rows));
    },

    async countAndList(criteria, slice, range, selection) {
      const list = await toList(criteria, range.isShort && mayHaveOnePlan(slice));
      return readTogether(selectCount(epochs, list, range), list, slice, selection, range.isShort);
    },

    async listWithEpoch(criteria, slice, selection) {
      const list = await toList(criteria, mayHaveOnePlan(slice));
      return readTogether(Prisma.sql`SELECT ${epochs.columns}, NULL AS between, NULL AS newer`, list, slice, selection);
    },

    async countRange(criteria, range) {
      const matching = selectRangeCount(await condition(criteria), range);
      return only(await read<{ count: number }>(matching)).count;
    },

    readEnd: () => readLogEnd(read, epochs),

    async countUpTo(criteria, upTo) {
      // A change to the counted events starts a new epoch (log-version/epoch.store.ts). The count may miss a change that happens
      // meanwhile, so the epoch is also read before the count. The count is valid only if both epochs are the same.
      const before = only(await read<Epoch>(Prisma.sql`SELECT ${epochs.columns}`));
      const counted = only(
        await read<EpochCount>(Prisma.sql`
          SELECT ${epochs.columns}, count(*)::int AS count FROM events WHERE ${await condition(criteria)} AND id <= ${upTo}::int`),
      );
      return isSameEpoch(counted, before) ? counted : null;
    },
  };
}

/** Converts the columns of `HEAD`, in their order. */
function toCount([epoch, server, between, newer]: TextRow): CountSince {
  if (epoch == null || server == null) throw new Error('The row is not a count.');
  return { epoch, server, between: Number(between), newer: Number(newer) };
}

/** Returns the row of a query that always returns one. */
function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A query that returns one row returned none.');
  return row;
}
