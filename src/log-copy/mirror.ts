import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from './calendar-days.js';
import { catchUp } from './catch-up.js';
import type { MirrorStore } from './mirror.store.js';
import { createMirrorAgeRecorder } from './mirror-age-recorder.js';
import { createPageCopier } from './page-copier.js';
import type { UnleashLog } from './unleash-log.js';

export interface MirrorOptions {
  readonly signal: AbortSignal;
  /** Whether to go on copying new events until the signal is aborted. */
  readonly follow: boolean;
  readonly onProgress: (progress: MirrorProgress) => void;
  /** The time between two requests for the newest events. Default: 2 seconds. */
  readonly followEveryMs?: number;
  /** The time between two full reads of the latest days, which find events that were committed late. Default: 5 minutes. */
  readonly reviseEveryMs?: number;
  /** The least time between two records of how old the copy is. mirror-age-recorder.ts has the defaults. */
  readonly recordEveryMs?: number;
}

export interface MirrorProgress {
  /** The number of events that this run has added to the copy. */
  readonly added: number;
  /** The number of events in the copy. */
  readonly copied: number;
  /** The number of events that Unleash had when this run began. */
  readonly total: number;
  /** The day that is being copied. Null for a range without a first day (catch-up.ts), and once the copy is complete. */
  readonly day: string | null;
  /** Whether the copy has been complete at some time in this run. */
  readonly isComplete: boolean;
}

const FOLLOW_EVERY_MS = 2_000;
const REVISE_EVERY_MS = 300_000;

/**
 * After a pause shorter than this, `copyNewest` misses no event. It reads from the start of yesterday's UTC date, which Unleash
 * interprets in its own time zone. In every time zone, that day began at least this long ago.
 */
const NEWEST_COVER_MS = DAY_MS / 2;

/**
 * Copies the log of an Unleash server, day by day from the oldest, in pages (page-copier.ts). Adds only events that the copy
 * lacks. A day is complete two days after its end, once the mirror has seen as many events as Unleash reports. A run can be
 * stopped at any moment and repeated (docs/decisions/015-mirror.md). Records how old the copy is
 * (docs/decisions/032-age-of-a-mirror.md).
 * @returns how many events were added
 * @throws MirrorError if the log, or a part of it, cannot be read
 */
export async function mirror(log: UnleashLog, store: MirrorStore, options: MirrorOptions): Promise<number> {
  const { signal, follow, onProgress, followEveryMs = FOLLOW_EVERY_MS, reviseEveryMs = REVISE_EVERY_MS } = options;
  const ages = createMirrorAgeRecorder(store, options.recordEveryMs, options.recordEveryMs);
  const copier = createPageCopier(log, store, ages.recordResponse);
  const total = await log.countAll();
  const before = await store.count();
  const report = (day: string | null, isComplete: boolean) =>
    onProgress({ added: copier.added, copied: before + copier.added, total, day, isComplete });

  // `completeSince` is a time of `Date.now()`, because `performance.now()` stands still while the machine is suspended.
  let completeSince = await catchUp(log, store, copier, total, async (day) => {
    signal.throwIfAborted();
    report(day, false);
  });
  await ages.recordComplete(completeSince, true);
  report(null, true);

  // `copyNewest` finds the events that were missed in a pause of at most `coverMs`. Unleash versions that cannot search by days
  // return the newest events of the whole log instead of the latest days, so the pause can have any length.
  const coverMs = (await log.canSearchByDays()) ? NEWEST_COVER_MS : Number.POSITIVE_INFINITY;
  let newestAt = performance.now();
  const copyNewest = async (): Promise<void> => {
    newestAt = performance.now();
    const began = Date.now();
    await copier.copyNewest();
    // After an outage or pause longer than `coverMs`, older events may be missing until the next full read.
    if (began - completeSince > coverMs) return;
    completeSince = began;
    await ages.recordComplete(began);
  };
  for (let revised = performance.now(); follow; ) {
    await wait(followEveryMs, undefined, { signal });
    await copyNewest();
    if (performance.now() - revised > reviseEveryMs && (await log.canSearchByDays())) {
      revised = performance.now();
      const began = await catchUp(log, store, copier, await log.countAll(), async () => {
        signal.throwIfAborted();
        if (performance.now() - newestAt > followEveryMs) await copyNewest();
      });
      completeSince = Math.max(completeSince, began);
      await ages.recordComplete(completeSince);
    }
    report(null, true);
  }
  return copier.added;
}
