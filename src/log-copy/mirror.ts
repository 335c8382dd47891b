import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS, type Days, dayOf, nextDay, timeOf } from './calendar-days.js';
import type { MirrorStore } from './mirror.store.js';
import { MirrorError } from './mirror-error.js';
import { createPageCopier } from './page-copier.js';
import type { UnleashLog } from './unleash-log.js';

export interface MirrorOptions {
  readonly signal: AbortSignal;
  /** Whether to go on copying new events until the signal is aborted. */
  readonly follow: boolean;
  readonly onProgress: (progress: MirrorProgress) => void;
  /** The time between two requests for the newest events. */
  readonly followEveryMs?: number;
  /** The time between two full reads of the latest days, which find events whose transactions committed late. */
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

/** The range for Unleash versions that cannot search by days. */
const WHOLE_LOG: Days = { from: '1970-01-01', to: '9999-12-31' };

/**
 * Copies the log of an Unleash server, day by day from the oldest. Adds only events that the copy lacks. A day counts as copied
 * once it is over and as many events were seen as Unleash reports. A run may thus be stopped at any moment and repeated
 * (docs/decisions/015-mirror.md).
 * @returns how many events were added
 * @throws MirrorError if the log cannot be read, or not completely
 */
export async function mirror(log: UnleashLog, store: MirrorStore, options: MirrorOptions): Promise<number> {
  const { signal, follow, onProgress, followEveryMs = FOLLOW_EVERY_MS, reviseEveryMs = REVISE_EVERY_MS } = options;
  const copier = createPageCopier(log, store);
  let newestAt = performance.now();
  const copyNewest = (): Promise<void> => {
    newestAt = performance.now();
    return copier.copyNewest();
  };

  const findStart = async (): Promise<string | null> => {
    const complete = await store.findCompleteBefore();
    if (complete !== null) return complete;
    return findDayBefore(null);
  };

  /** Finds the day from which the next events have to be copied. In the time zone of the Unleash server, they may be from the day before. */
  const findDayBefore = async (from: string | null): Promise<string | null> => {
    const first = await log.findFirstDay(from);
    return first && dayOf(timeOf(first) - DAY_MS);
  };

  /** Returns the next day, or after an empty one the next that may have events. There may be years without any. */
  const findNext = async (day: string, copied: number): Promise<string | null> => {
    if (copied > 0) return nextDay(day);
    const next = await findDayBefore(nextDay(day));
    return next !== null && next > day ? next : next && nextDay(day);
  };

  /** Copies all days up to now that are not marked as complete. */
  const catchUp = async (between: (day: string) => Promise<void>): Promise<void> => {
    const total = await log.countAll();
    if (await log.canSearchByDays()) {
      // In the time zone of the Unleash server, it may already be tomorrow.
      const end = dayOf(Date.now() + DAY_MS);
      for (let day = await findStart(), copied = 0; day !== null && day <= end; day = await findNext(day, copied)) {
        const from = day;
        await between(from);
        // Includes the next day, because Unleash servers in western time zones end a day before it is over.
        copied = await copier.copyDays({ from, to: nextDay(from) }, () => between(from));
        // A day is complete two days later: Unleash may be a day behind, and a transaction that began on that day may commit only now.
        if (nextDay(from) <= dayOf(Date.now() - 2 * DAY_MS)) await store.setCompleteBefore(nextDay(from));
      }
    } else {
      await copier.copyDays(WHOLE_LOG, () => between(''));
    }
    const copied = await store.count();
    if (copied >= total) return;
    await store.setCompleteBefore(null);
    throw new MirrorError(`Unleash has ${total} events, and the copy ${copied}. Run it again to read all days once more.`);
  };

  await catchUp(async (day) => {
    signal.throwIfAborted();
    onProgress({ added: copier.added, day });
  });
  onProgress({ added: copier.added, day: null });
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
    onProgress({ added: copier.added, day: null });
  }
  return copier.added;
}
