import { setTimeout as wait } from 'node:timers/promises';
import type { MirrorStore } from './mirror.store.js';
import { type Days, MirrorError, type UnleashLog } from './unleash-log.js';

export interface MirrorOptions {
  readonly signal: AbortSignal;
  /** Whether to go on copying new events until the signal is aborted. */
  readonly follow: boolean;
  readonly onProgress: (progress: MirrorProgress) => void;
  /** The time between two requests for the newest events. */
  readonly followEveryMs?: number;
  /** The time between two full reads of the latest days, for events of transactions that committed late. */
  readonly reviseEveryMs?: number;
}

export interface MirrorProgress {
  /** The number of events that this run has added to the copy. */
  readonly added: number;
  /** The day that is being copied; null once the copy is complete. */
  readonly day: string | null;
}

const FOLLOW_EVERY_MS = 2_000;
const REVISE_EVERY_MS = 300_000;

/** Each page repeats the end of the previous one, because before version 8 the order of events with equal times varies. */
const OVERLAP = 20;
const LARGEST_OVERLAP = 0.75;

/** How often a day is read at most, until as many events were seen as Unleash reports. */
const MAX_PASSES = 20;

/**
 * Copies the log of an Unleash server, day by day from the oldest. Adds only events that the copy lacks. A day counts as copied
 * once it is over and as many events were seen as Unleash reports. A run may thus be stopped at any moment and repeated
 * (docs/decisions/015-mirror.md).
 * @returns how many events were added
 * @throws MirrorError if the log cannot be read, or not completely
 */
export async function mirror(log: UnleashLog, store: MirrorStore, options: MirrorOptions): Promise<number> {
  const { signal, follow, onProgress, followEveryMs = FOLLOW_EVERY_MS, reviseEveryMs = REVISE_EVERY_MS } = options;
  let added = 0;
  let newestAt = performance.now();

  /** Adds the events of one page. */
  const copyPage = async (days: Days, offset: number, seen: Set<number>, pass = 1) => {
    const { events, total, size } = await log.readPage(days, offset);
    for (const { id } of events) seen.add(id);
    const count = await store.add(events);
    added += count;
    return { next: events.length < size ? null : offset + size - overlapOf(pass, size), isNew: count > 0, total };
  };

  /** Copies the newest events, up to a page without new ones. */
  const copyNewest = async (): Promise<void> => {
    newestAt = performance.now();
    const days = { from: dayOf(Date.now() - DAY_MS), to: dayOf(Date.now() + DAY_MS) };
    let page = await copyPage(days, 0, new Set());
    while (page.isNew && page.next !== null) page = await copyPage(days, page.next, new Set());
  };

  /** Copies the events that these days have at the start. @param between runs between two pages */
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
          `Unleash returned only ${seen.size} of the ${total} events from ${days.from} to ${days.to}, in ${pass} passes.`,
        );
      }
    }
  };

  const findStart = async (): Promise<string | null> => {
    const complete = await store.findCompleteBefore();
    if (complete !== null) return complete;
    const first = await log.findFirstDay();
    // In the time zone of the Unleash server, the first event may be from the day before.
    return first && dayOf(timeOf(first) - DAY_MS);
  };

  /** Copies all days up to now that are not marked as complete. */
  const catchUp = async (between: (day: string) => Promise<void>): Promise<void> => {
    const total = await log.countAll();
    if (await log.canSearchByDays()) {
      // Unleash may be a day ahead.
      const end = dayOf(Date.now() + DAY_MS);
      for (let day = await findStart(); day !== null && day <= end; day = nextDay(day)) {
        const from = day;
        await between(from);
        // Includes the next day, because Unleash servers in western time zones end a day before it is over.
        await copyDays({ from, to: nextDay(from) }, () => between(from));
        // Waits two days: Unleash may be a day behind, and a transaction that began on that day may commit only now.
        if (nextDay(from) <= dayOf(Date.now() - 2 * DAY_MS)) await store.setCompleteBefore(nextDay(from));
      }
    } else {
      await copyDays(WHOLE_LOG, () => between(''));
    }
    const copied = await store.count();
    if (copied >= total) return;
    await store.setCompleteBefore(null);
    throw new MirrorError(`Unleash has ${total} events, and the copy ${copied}. Run it again to read all days once more.`);
  };

  await catchUp(async (day) => {
    signal.throwIfAborted();
    onProgress({ added, day });
  });
  onProgress({ added, day: null });
  for (let revised = performance.now(); follow; ) {
    await wait(followEveryMs, undefined, { signal });
    await copyNewest();
    if (performance.now() - revised > reviseEveryMs && (await log.canSearchByDays())) {
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

/**
 * Overlaps more in each pass, so that events with equal times fit on one page. Later overlaps are random: events with equal times
 * that fill several pages are then split in another place each time.
 */
function overlapOf(pass: number, size: number): number {
  const least = Math.min(size * LARGEST_OVERLAP, OVERLAP * 2 ** (pass - 1));
  return Math.floor(pass === 1 ? least : least + Math.random() * size * (1 - LARGEST_OVERLAP) * LARGEST_OVERLAP);
}

const DAY_MS = 86_400_000;

/** The range for Unleash versions that cannot search by days. */
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
