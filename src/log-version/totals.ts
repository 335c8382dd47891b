import { hash } from 'node:crypto';
import type { EventCriteria } from '../events/event.js';
import type { EventSlice } from '../events/event-page.js';
import type { PageSelection } from '../events/large-pages.js';
import type { CountedLog, CountRange, CountReads, CountSince, EventsWithEpoch } from './counted-log.js';
import { type Epoch, isSameEpoch } from './epoch.store.js';
import { settleLog } from './settle-log.js';
import { type Counting, createSettledValues, readSettled, type SettledValues } from './settled-values.js';
import type { EpochCount } from './version.js';
import { createWatermark, type LogWatermark, WATERMARK_EVERY_MS } from './watermark.js';

/*
 * Why totals are exact, and what an entity tag stands for (docs/decisions/009-totals.md, 012-entity-tags.md):
 *
 * - An **epoch** is a stretch of the log's life in which events are only appended. A gateway **publishes** an id that it has seen
 *   as the highest. The database starts a new epoch, in the same transaction, when an event is changed or deleted, or added at or
 *   below a published id. (An Unleash database has no triggers and reports such a change later: epoch.store.ts.)
 * - After a publication, the gateway waits in the background for all transactions that had written events before. When they have
 *   ended, the published id is a **watermark** (watermark.ts). A count of the events up to a watermark stays exact while the
 *   epoch lasts, and is cached by filter.
 * - `server` identifies the run of the server, the database and its files (docs/decisions/029-identity-of-the-log.md). A cached
 *   count is valid for one `server` only, so a restart or a restore drops it.
 * - A request counts only the events above the cached count's id (`upTo`), in one statement that also reads `epoch` and `server`.
 *   If both equal those of the cached count, the two counts add up to the exact total at that moment. If not, the cached count is
 *   dropped (settled-values.ts). Without a watermark, or if the log keeps changing, the total is counted in full.
 * - Within an epoch, events are added, but not changed or removed. Two equal totals of one filter, with the same `epoch` and
 *   `server`, therefore count the same events. The hash of total, `epoch`, `server` and the caller's projects is the **version**
 *   (version.ts).
 * - An entity tag is a version as an HTTP header. rest/entity-tag.ts and graphql/conditional-get.ts set it and find out whether
 *   a client gets a 304. The search and the counts of REST use the version of the matching events; a flag's events and GraphQL
 *   use that of the whole log. A mirror that is an old copy sends neither entity tags nor 304 (http/copy-age.ts).
 */

export type Totals = ReturnType<typeof createTotals>;

/** A slice of the matching events, and the number of all matching events, both at one moment. */
export type CountedEvents = EpochCount & EventsWithEpoch;

type Count<Counted extends CountSince> = (range: CountRange) => Promise<Counted>;

/** The most filters with a cached count. Each takes a few hundred bytes. */
const MAX_COUNTS = 10_000;

/** Returns exact totals at the cost of counting the newest events. */
export function createTotals(log: CountedLog, watermarkEveryMs = WATERMARK_EVERY_MS) {
  const cache = createSettledValues<number>({ max: MAX_COUNTS });
  const watermark = createWatermark(log, watermarkEveryMs);

  const addCounts = async <Counted extends CountSince>(
    criteria: EventCriteria,
    count: Count<Counted>,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly total: EpochCount; readonly counted: Counted }> => {
    const counting: Counting<number, Counted> = {
      key: toKey(criteria),
      values: cache,
      async readUpTo(upTo, readSignal) {
        const counted = await log.withSignal(readSignal).countUpTo(criteria, upTo);
        return counted && { ...toEpoch(counted), value: counted.count };
      },
      readSince: (_, range) => count(range),
      settle: (value, { between }) => value + between,
    };
    const read = await readSettled(watermark, counting, signal);
    const counted = read?.added ?? (await count({ after: null, upTo: 0, isShort: false }));
    return { total: { epoch: counted.epoch, server: counted.server, count: (read?.value ?? 0) + counted.newer }, counted };
  };

  const readCount = async (criteria: EventCriteria, reads: CountReads, signal?: AbortSignal): Promise<EpochCount> =>
    (await addCounts(criteria, (range) => reads.count(criteria, range), signal)).total;

  /**
   * Returns totals for one request. Their queries are canceled when `signal` is aborted.
   * @param bound the queries of the log with this signal, if the request has created them already
   */
  const bind = (signal?: AbortSignal, bound?: CountReads) => {
    const reads = bound ?? (signal ? log.withSignal(signal) : log);
    return {
      count: (criteria: EventCriteria): Promise<EpochCount> => readCount(criteria, reads, signal),

      /** Reads another cached value that grows with the log, such as a table of counts. */
      readSettled: <Value extends NonNullable<unknown>, Added extends Epoch>(counting: Counting<Value, Added>) =>
        readSettled(watermark, counting, signal),

      /** Returns the position up to which no late event (epoch.store.ts) can be added any more; 0 without a watermark. */
      findLate: (): number => watermark.current?.late ?? 0,

      /** Returns a cached count without a query, or null. With a cached count, `count` reads only newer events. */
      findRecent: (criteria: EventCriteria): number | null => cache.findRecent(toKey(criteria)),

      async countAndList(criteria: EventCriteria, slice: EventSlice, selection?: PageSelection): Promise<CountedEvents> {
        const readSlice = () => reads.listWithEpoch(criteria, slice, selection);
        const whole = await readWhole(cache, watermark, toKey(criteria), slice, readSlice);
        if (whole) return whole;
        const count = (range: CountRange) => reads.countAndList(criteria, slice, range, selection);
        const { total, counted } = await addCounts(criteria, count, signal);
        return { epoch: total.epoch, server: total.server, count: total.count, events: counted.events, isCut: counted.isCut };
      },
    };
  };

  return {
    ...bind(),
    withSignal: bind,
    watermark,

    /** Returns an id up to which the log is complete, see settle-log.ts. */
    settle: (upTo: number | null, signal: AbortSignal) => settleLog(watermark, log.readEnd, upTo, signal),

    /**
     * Whether the log was found to be complete up to an id. This runs no query, so it does not notice if the log was replaced.
     */
    isSettled: (upTo: number): boolean => (watermark.current?.upTo ?? 0) >= upTo,
  };
}

/**
 * Reads a first page if its total is not cached. If the page is not full, its length is the total. No second query then has to
 * find the same events again to count them, which is slow for rare events. Returns null for a full page, for a later page, or if
 * the total is cached.
 */
async function readWhole(
  cache: SettledValues<number>,
  watermark: LogWatermark,
  key: string,
  slice: EventSlice,
  readSlice: () => Promise<EventsWithEpoch>,
): Promise<CountedEvents | null> {
  if (!('offset' in slice) || slice.offset > 0 || cache.has(key)) return null;
  await watermark.advance();
  const { current } = watermark;
  const read = await readSlice();
  if (read.isCut || read.events.length >= slice.limit) return null;
  // If an event is later added at or below the watermark, another epoch begins, and the cached count is dropped.
  if (current && isSameEpoch(read, current))
    cache.set(key, { ...toEpoch(read), upTo: current.upTo, value: read.events.filter(({ id }) => id <= current.upTo).length });
  return { count: read.events.length, ...read };
}

function toEpoch({ epoch, server }: Epoch): Epoch {
  return { epoch, server };
}

const keys = new WeakMap<EventCriteria, string>();

/** The most characters of a filter in a key. A longer filter is hashed. */
const MAX_KEY_LENGTH = 200;

/** Returns the key of a filter: its JSON, or the hash of a long filter. Unlike JSON, a hash never begins with a brace. */
export function toKey(criteria: EventCriteria): string {
  const key = keys.get(criteria) ?? createKey(JSON.stringify(criteria));
  keys.set(criteria, key);
  return key;
}

function createKey(json: string): string {
  return json.length <= MAX_KEY_LENGTH ? json : hash('sha256', json, 'base64');
}
