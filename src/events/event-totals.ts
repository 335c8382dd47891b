import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { EventCriteria } from './event.js';
import type { EventStore } from './event.store.js';

export type EventTotals = ReturnType<typeof createEventTotals>;

/** The parts of the store that counting needs. */
export type CountedLog = Pick<EventStore, 'count' | 'countSettled' | 'findHighestId' | 'publishSettled' | 'findWriters'>;

/** The events of a filter, or of the whole log, at one moment: how many there are, in an epoch in which events are added only. */
export interface LogHead {
  readonly epoch: string;
  readonly count: number;
}

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

  const readHeadOf = async (criteria: EventCriteria): Promise<LogHead> => {
    // Of a fixed length: a filter may be as long as a request.
    const key = createHash('sha256').update(JSON.stringify(criteria)).digest('base64');
    await settler.keepUp();
    for (let epochs = 0; settler.current > 0 && epochs < MAX_EPOCHS; epochs += 1) {
      const upTo = settler.current;
      const settled = await findSettled(key, criteria, upTo);
      const { epoch, between, newer } = await log.count(criteria, settled.upTo, upTo);
      if (isOtherServer(settled.epoch, epoch)) {
        counts.clear();
        settler.startAnew();
      }
      if (epoch === settled.epoch) {
        const count = settled.count + between;
        if (upTo > settled.upTo) counts.set(key, { epoch, upTo, count });
        return { epoch, count: count + newer };
      }
      counts.delete(key);
    }
    const { epoch, newer } = await log.count(criteria, null, 0);
    return { epoch, count: newer };
  };

  return {
    /** How many events match, and in which epoch. */
    count: readHeadOf,

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

/** Whether two epochs are of different servers, or of a log that was created anew, and not just of one that was changed. */
function isOtherServer(one: string, other: string): boolean {
  return one.split(' ')[1] !== other.split(' ')[1];
}

/** How PostgreSQL names a prepared transaction among those that hold locks. */
const PREPARED = '-1/';

/**
 * Finds ids up to which the log is settled: no event at or below them is added any more without the epoch changing. First an id is
 * published, from when on the database changes the epoch for whoever adds an event at or below it; then those have to end who wrote before.
 */
function createSettler(log: CountedLog, everyMs: number) {
  let current = 0;
  let candidate = 0;
  let settling: { readonly upTo: number; readonly writers: readonly string[] } | null = null;
  let running: Promise<void> | null = null;
  let lastRun = Number.NEGATIVE_INFINITY;

  const confirm = async (): Promise<void> => {
    const attempt = settling;
    if (!attempt) return;
    const { upTo, writers } = attempt;
    const now = writers.length > 0 ? await log.findWriters() : [];
    // One that has prepared its transaction for a commit in two phases goes by another name until then.
    if (now.some((writer) => writers.includes(writer) || writer.startsWith(PREPARED))) return;
    if (settling !== attempt) return;
    current = upTo;
    settling = null;
  };

  const settle = async (): Promise<void> => {
    await confirm();
    // Otherwise an id that was seen in the run before: who had taken a lower one then has written it by now, and changes no epoch.
    if (current === 0) candidate = await log.findHighestId();
    if (!settling && candidate > current) {
      await log.publishSettled(candidate);
      settling = { upTo: candidate, writers: await log.findWriters() };
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
    /** The highest settled id; 0 before there is one. */
    get current() {
      return current;
    },

    /** For another log: what was settled in the one before is not in it. */
    startAnew(): void {
      current = 0;
      candidate = 0;
      settling = null;
      lastRun = Number.NEGATIVE_INFINITY;
    },

    /** Lets the settled id follow the log, beside the requests; only the first id is waited for. */
    async keepUp(): Promise<void> {
      if (!running && performance.now() - lastRun >= everyMs) running = start();
      if (current === 0) await running;
      // A failure shows in what the request reads itself.
      else running?.catch(() => undefined);
    },
  };
}
