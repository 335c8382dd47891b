import { setTimeout as wait } from 'node:timers/promises';
import type { MirrorStore } from './mirror.store.js';
import { type Days, MirrorError, type UnleashLog } from './unleash-log.js';

export interface MirrorOptions {
  readonly signal: AbortSignal;
  /** Goes on with what is added from now on, until the signal. */
  readonly follow: boolean;
  readonly onProgress: (progress: MirrorProgress) => void;
  /** How often the newest events are asked for. */
  readonly followEveryMs?: number;
  /** How often the latest days are read as a whole, for what was committed long after it was begun. */
  readonly reviseEveryMs?: number;
}

export interface MirrorProgress {
  /** How many events were added to the copy by this run. */
  readonly added: number;
  /** The day that is being read; null once the copy is complete. */
  readonly day: string | null;
}

const FOLLOW_EVERY_MS = 2_000;
const REVISE_EVERY_MS = 300_000;

/** Each page begins with the end of the one before it: older servers order the events of one moment in another way for each offset. */
const OVERLAP = 20;
const LARGEST_OVERLAP = 0.75;

/** So often a day is read again for what its total says is missing. */
const MAX_PASSES = 20;

/**
 * Copies the log of a server, day by day from the oldest. What is there is not added again, and a day counts as copied only once it is over
 * and as many events were seen as the server says it has. So it may be stopped at any moment and run again
 * (docs/decisions/015-mirror.md).
 * @returns how many events were added
 * @throws MirrorError if the server's log cannot be read, or not be read whole
 */
export async function mirror(log: UnleashLog, store: MirrorStore, options: MirrorOptions): Promise<number> {
  const { signal, follow, onProgress, followEveryMs = FOLLOW_EVERY_MS, reviseEveryMs = REVISE_EVERY_MS } = options;
  let added = 0;
  let newestAt = performance.now();

  /** Adds one page. */
  const copyPage = async (days: Days, offset: number, seen: Set<number>, pass = 1) => {
    const { events, total, size } = await log.readPage(days, offset);
    for (const { id } of events) seen.add(id);
    const count = await store.add(events);
    added += count;
    return { next: events.length < size ? null : offset + size - overlapOf(pass, size), isNew: count > 0, total };
  };

  /** The newest events, until a page holds nothing that is new. */
  const copyNewest = async (): Promise<void> => {
    newestAt = performance.now();
    const days = { from: dayOf(Date.now() - DAY_MS), to: dayOf(Date.now() + DAY_MS) };
    let page = await copyPage(days, 0, new Set());
    while (page.isNew && page.next !== null) page = await copyPage(days, page.next, new Set());
  };

  /** All that those days have as it is begun. @param between is done between two pages */
  const copyDays = async (days: Days, between: () => Promise<void>): Promise<void> => {
    const seen = new Set<number>();
    for (let pass = 1; ; pass += 1) {
      let page = await copyPage(days, 0, seen, pass);
      const { total } = page;
      while (page.next !== null) {
        await between();
        page = await copyPage(days, page.next, seen, pass);
      }
      if (seen.size >= total) return;
      if (pass === MAX_PASSES) {
        throw new MirrorError(
          `Of the ${total} events from ${days.from} to ${days.to} only ${seen.size} were given, in ${pass} passes.`,
        );
      }
    }
  };

  const findStart = async (): Promise<string | null> => {
    const complete = await store.findCompleteBefore();
    if (complete !== null) return complete;
    const first = await log.findFirstDay();
    // Where the server is, it may have been the day before.
    return first && dayOf(timeOf(first) - DAY_MS);
  };

  /** All days that are not known to be complete, up to now. */
  const catchUp = async (between: (day: string) => Promise<void>): Promise<void> => {
    const total = await log.countAll();
    if (await log.knowsDays()) {
      // The server may be a day ahead.
      const end = dayOf(Date.now() + DAY_MS);
      for (let day = await findStart(); day !== null && day <= end; day = nextDay(day)) {
        const from = day;
        await between(from);
        // To the next one, as servers in the west end a day before it is over.
        await copyDays({ from, to: nextDay(from) }, () => between(from));
        // Yesterday may be today where the server is, and a transaction may have begun then that ends now.
        if (nextDay(from) <= dayOf(Date.now() - 2 * DAY_MS)) await store.setCompleteBefore(nextDay(from));
      }
    } else {
      await copyDays(WHOLE_LOG, () => between(''));
    }
    const copied = await store.count();
    if (copied >= total) return;
    await store.setCompleteBefore(null);
    throw new MirrorError(`The server has ${total} events, and the copy ${copied}. Run it again: it will read all days anew.`);
  };

  await catchUp(async (day) => {
    signal.throwIfAborted();
    onProgress({ added, day });
  });
  onProgress({ added, day: null });
  for (let revised = performance.now(); follow; ) {
    await wait(followEveryMs, undefined, { signal });
    await copyNewest();
    if (performance.now() - revised > reviseEveryMs && (await log.knowsDays())) {
      revised = performance.now();
      await catchUp(async () => {
        signal.throwIfAborted();
        if (performance.now() - newestAt > followEveryMs) await copyNewest();
      });
    }
    onProgress({ added, day: null });
  }
  return added;
}

/** In each pass more, so that the events of one moment are on one page; and by chance, so that those that fill several are not cut as before. */
function overlapOf(pass: number, size: number): number {
  const least = Math.min(size * LARGEST_OVERLAP, OVERLAP * 2 ** (pass - 1));
  return Math.floor(pass === 1 ? least : least + Math.random() * size * (1 - LARGEST_OVERLAP) * LARGEST_OVERLAP);
}

const DAY_MS = 86_400_000;

/** Where the server knows no days: what is asked for is all there is. */
const WHOLE_LOG: Days = { from: '1970-01-01', to: '9999-12-31' };

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function nextDay(day: string): string {
  return dayOf(timeOf(day) + DAY_MS);
}

function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
