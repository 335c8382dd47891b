import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Event, EventCriteria } from './event.js';
import type { EventStore } from './event.store.js';
import type { OffsetPage } from './event-page.js';
import type { EpochCount } from './log-epochs.store.js';

export type EventTotals = ReturnType<typeof createEventTotals>;

/** The parts of the store that counting needs. */
export type CountedLog = Pick<
  EventStore,
  'count' | 'countAndListPage' | 'listPageInEpoch' | 'countSettled' | 'findHighestId' | 'publishSettled' | 'findWriters'
>;

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
interface SettledCount {
  readonly epoch: string;
  readonly upTo: number;
  readonly count: number;
}

/** Filters whose counts are kept. Each is some hundred bytes. */
const MAX_COUNTS = 10_000;

/** How often ids are settled at most. A total costs the counting of what was added since, so that more often gains nothing. */
const SETTLE_EVERY_MS = 1_000;

/** In one epoch nothing can fail; each new one is somebody who changes the log by hand. */
const MAX_EPOCHS = 3;

/**
 * Exact totals at the cost of the new events alone. What was counted up to a settled id stays as long as the log's epoch does; the rest is
 * counted in the query that reads the epoch (docs/decisions/009-totals.md).
 */
export function createEventTotals(log: CountedLog, settleEveryMs = SETTLE_EVERY_MS) {
  const counts = new LRUCache<string, SettledCount>({ max: MAX_COUNTS });
  const counting = new Map<string, Promise<SettledCount>>();
  const settler = createSettler(log, settleEveryMs);
  let nextHead: Promise<LogHead> | null = null;

  const countSettled = async (key: string, criteria: EventCriteria, upTo: number): Promise<SettledCount> => {
    try {
      const counted = { ...(await log.countSettled(criteria, upTo)), upTo };
      counts.set(key, counted);
      return counted;
    } finally {
      counting.delete(key);
    }
  };

  /** What is known of the settled events, or counted now: once for all who ask meanwhile, as it is the same for them. */
  const findSettled = (key: string, criteria: EventCriteria, upTo: number): SettledCount | Promise<SettledCount> => {
    const known = counts.get(key) ?? counting.get(key);
    if (known) return known;
    const running = countSettled(key, criteria, upTo);
    counting.set(key, running);
    return running;
  };

  const readCounted = async <Counted extends EpochCount>(
    criteria: EventCriteria,
    count: Count<Counted>,
  ): Promise<{ readonly head: LogHead; readonly counted: Counted }> => {
    const key = keyOf(criteria);
    await settler.keepUp();
    for (let epochs = 0; epochs < MAX_EPOCHS; epochs += 1) {
      const { current } = settler;
      if (!current) break;
      const settled = await findSettled(key, criteria, current.upTo);
      const counted = await count(settled.upTo, current.upTo);
      const { epoch, between, newer } = counted;
      if (serverOf(epoch) !== current.server) {
        counts.clear();
        settler.startAnew();
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
  const readWhole = async (criteria: EventCriteria, page: OffsetPage): Promise<CountedPage | null> => {
    const key = keyOf(criteria);
    if (page.offset > 0 || counts.has(key) || counting.has(key)) return null;
    await settler.keepUp();
    const { current } = settler;
    const { epoch, events } = await log.listPageInEpoch(criteria, page);
    if (events.length >= page.limit) return null;
    if (current && serverOf(epoch) === current.server) {
      const { upTo } = current;
      counts.set(key, { epoch, upTo, count: events.filter(({ id }) => id <= upTo).length });
    }
    return { epoch, count: events.length, events };
  };

  const readHeadOf = async (criteria: EventCriteria): Promise<LogHead> =>
    (await readCounted(criteria, (after, upTo) => log.count(criteria, after, upTo))).head;

  return {
    /** How many events match, and in which epoch. */
    count: readHeadOf,

    /** The same, with a page of those events at the same moment. */
    async countAndListPage(criteria: EventCriteria, page: OffsetPage): Promise<CountedPage> {
      const whole = await readWhole(criteria, page);
      if (whole) return whole;
      const { head, counted } = await readCounted(criteria, (after, upTo) => log.countAndListPage(criteria, page, after, upTo));
      return { ...head, events: counted.events };
    },

    /** The whole log at this moment, read once for those who ask at once: while it is the same, so is every answer from it. */
    readHead(): Promise<LogHead> {
      nextHead ??= setImmediate().then(() => {
        nextHead = null;
        return readHeadOf({});
      });
      return nextHead;
    },
  };
}

/** Of a fixed length: a filter may be as long as a request. */
function keyOf(criteria: EventCriteria): string {
  return hash('sha256', JSON.stringify(criteria), 'base64');
}

/** Which server, and which table in it, an epoch is of: another one has not the events that were settled in this one. */
function serverOf(epoch: string): string | undefined {
  return epoch.split(' ')[1];
}

/** How PostgreSQL names a prepared transaction among those that hold locks. */
const PREPARED = '-1/';

/** An id up to which the log of a server is settled. */
interface SettledId {
  readonly upTo: number;
  readonly server: string | undefined;
}

/**
 * Finds ids up to which the log is settled: no event at or below them is added any more without the epoch changing. First an id is
 * published, from when on the database changes the epoch for whoever adds an event at or below it; then those have to end who wrote before.
 */
function createSettler(log: CountedLog, everyMs: number) {
  let current: SettledId | null = null;
  let candidate = 0;
  let settling: { readonly id: SettledId; readonly writers: readonly string[] } | null = null;
  let running: Promise<void> | null = null;
  let lastRun = Number.NEGATIVE_INFINITY;

  const confirm = async (): Promise<void> => {
    const attempt = settling;
    if (!attempt) return;
    const { id, writers } = attempt;
    const now = writers.length > 0 ? await log.findWriters() : [];
    // One that has prepared its transaction for a commit in two phases goes by another name until then.
    if (now.some((writer) => writers.includes(writer) || writer.startsWith(PREPARED))) return;
    if (settling !== attempt) return;
    current = id;
    settling = null;
  };

  const settle = async (): Promise<void> => {
    await confirm();
    // Otherwise an id that was seen in the run before: who had taken a lower one then has written it by now, and changes no epoch.
    if (!current) candidate = await log.findHighestId();
    if (!settling && candidate > (current?.upTo ?? 0)) {
      const upTo = candidate;
      const server = serverOf(await log.publishSettled(upTo));
      settling = { id: { upTo, server }, writers: await log.findWriters() };
      await confirm();
    }
    candidate = await log.findHighestId();
  };

  const start = (): Promise<void> => {
    lastRun = performance.now();
    const run = settle().finally(() => {
      running = null;
    });
    return run;
  };

  return {
    /** Null before there is one. */
    get current() {
      return current;
    },

    /** For another log: what was settled in the one before is not in it. */
    startAnew(): void {
      current = null;
      candidate = 0;
      settling = null;
      lastRun = Number.NEGATIVE_INFINITY;
    },

    /** Lets the settled id follow the log, beside the requests; only the first id is waited for. */
    async keepUp(): Promise<void> {
      if (!running && performance.now() - lastRun >= everyMs) running = start();
      if (!current) await running;
      // A failure shows in what the request reads itself.
      else running?.catch(() => undefined);
    },
  };
}
