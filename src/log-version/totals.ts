import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Event, EventCriteria } from '../events/event.js';
import type { EventReads } from '../events/event.store.js';
import type { OffsetPage } from '../events/event-page.js';
import type { EpochCount } from './epoch.store.js';
import { createWatermark, WATERMARK_EVERY_MS, type WatermarkLog, serverOf } from './watermark.js';
import { type SingleFlight, startSingleFlight } from './single-flight.js';

export type Totals = ReturnType<typeof createTotals>;

/** The reads of one request. */
type RequestReads = Pick<EventReads, 'count' | 'countAndListPage' | 'listPageInEpoch'>;

/** The parts of the store that counting needs. */
export interface CountedLog extends WatermarkLog, RequestReads {
  withSignal(signal: AbortSignal): RequestReads & Pick<EventReads, 'countUpTo'>;
}

/** The events of a filter, or of the whole log, at one moment: how many there are, in an epoch in which events are added only. */
export interface LogHead {
  readonly epoch: string;
  readonly count: number;
}

/** A page of what matches, and how many match in all, at one moment. */
export interface CountedPage extends LogHead {
  readonly events: readonly Event[];
}

/** Counts what matches above the id `after`: up to the id `upTo`, and newer than that. */
type Count<Counted extends EpochCount> = (after: number | null, upTo: number) => Promise<Counted>;

/** A filter and how many events up to an id match it; it holds for one epoch. */
interface CachedCount {
  readonly epoch: string;
  readonly upTo: number;
  readonly count: number;
}

/** Filters whose counts are kept. Each is some hundred bytes. */
const MAX_COUNTS = 10_000;

/** In one epoch nothing can fail; each new one is somebody who changes the log by hand. */
const MAX_EPOCHS = 3;

/**
 * Exact totals at the cost of the new events alone. What was counted up to a settled id stays as long as the log's epoch does; the rest is
 * counted in the query that reads the epoch (docs/decisions/009-totals.md).
 */
export function createTotals(log: CountedLog, watermarkEveryMs = WATERMARK_EVERY_MS) {
  const counts = new LRUCache<string, CachedCount>({ max: MAX_COUNTS });
  const counting = new Map<string, SingleFlight<CachedCount>>();
  const watermark = createWatermark(log, watermarkEveryMs);
  let nextHead: Promise<LogHead> | null = null;

  const startCounting = (key: string, criteria: EventCriteria, upTo: number): SingleFlight<CachedCount> => {
    const work = startSingleFlight(async (signal) => {
      try {
        const counted = { ...(await log.withSignal(signal).countUpTo(criteria, upTo)), upTo };
        counts.set(key, counted);
        return counted;
      } finally {
        if (counting.get(key) === work) counting.delete(key);
      }
    });
    counting.set(key, work);
    return work;
  };

  /** What is known of the settled events, or counted now: once for all who ask meanwhile, as it is the same for them. */
  const findSettled = (
    key: string,
    criteria: EventCriteria,
    upTo: number,
    signal: AbortSignal | undefined,
  ): CachedCount | Promise<CachedCount> => {
    const known = counts.get(key);
    if (known) return known;
    const running = counting.get(key);
    return (running && !running.isAbandoned ? running : startCounting(key, criteria, upTo)).join(signal);
  };

  const readCounted = async <Counted extends EpochCount>(
    criteria: EventCriteria,
    count: Count<Counted>,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly head: LogHead; readonly counted: Counted }> => {
    const key = keyOf(criteria);
    await watermark.keepUp();
    for (let epochs = 0; epochs < MAX_EPOCHS; epochs += 1) {
      const { current } = watermark;
      if (!current) break;
      const settled = await findSettled(key, criteria, current.upTo, signal);
      const counted = await count(settled.upTo, current.upTo);
      const { epoch, between, newer } = counted;
      if (serverOf(epoch) !== current.server) {
        counts.clear();
        watermark.startAnew();
      } else if (epoch === settled.epoch && settled.upTo <= current.upTo) {
        const total = settled.count + between;
        if (current.upTo > settled.upTo) counts.set(key, { epoch, upTo: current.upTo, count: total });
        return { head: { epoch, count: total + newer }, counted };
      }
      counts.delete(key);
    }
    const counted = await count(null, 0);
    return { head: { epoch: counted.epoch, count: counted.newer }, counted };
  };

  /** A first page with room left holds all that match, and counts them: found once, instead of once to count them and once to read them. */
  const readWhole = async (criteria: EventCriteria, page: OffsetPage, reads: RequestReads): Promise<CountedPage | null> => {
    const key = keyOf(criteria);
    if (page.offset > 0 || counts.has(key) || counting.has(key)) return null;
    await watermark.keepUp();
    const { current } = watermark;
    const { epoch, events } = await reads.listPageInEpoch(criteria, page);
    if (events.length >= page.limit) return null;
    if (current && serverOf(epoch) === current.server) {
      const { upTo } = current;
      counts.set(key, { epoch, upTo, count: events.filter(({ id }) => id <= upTo).length });
    }
    return { epoch, count: events.length, events };
  };

  const readHeadOf = async (criteria: EventCriteria, reads: RequestReads, signal?: AbortSignal): Promise<LogHead> =>
    (await readCounted(criteria, (after, upTo) => reads.count(criteria, after, upTo), signal)).head;

  /** Totals for one request, until `signal` is aborted. */
  const bind = (signal?: AbortSignal) => {
    const reads = signal ? log.withSignal(signal) : log;
    return {
      /** How many events match, and in which epoch. */
      count: (criteria: EventCriteria): Promise<LogHead> => readHeadOf(criteria, reads, signal),

      /** The same, with a page of those events at the same moment. */
      async countAndListPage(criteria: EventCriteria, page: OffsetPage): Promise<CountedPage> {
        const whole = await readWhole(criteria, page, reads);
        if (whole) return whole;
        const { head, counted } = await readCounted(
          criteria,
          (after, upTo) => reads.countAndListPage(criteria, page, after, upTo),
          signal,
        );
        return { ...head, events: counted.events };
      },
    };
  };

  return {
    ...bind(),
    withSignal: bind,

    /** The whole log at this moment, read once for those who ask at once: while it is the same, so is every answer from it. */
    readHead(): Promise<LogHead> {
      nextHead ??= setImmediate().then(() => {
        nextHead = null;
        return readHeadOf({}, log);
      });
      return nextHead;
    },
  };
}

/** Of a fixed length: a filter may be as long as a request. */
function keyOf(criteria: EventCriteria): string {
  return hash('sha256', JSON.stringify(criteria), 'base64');
}
