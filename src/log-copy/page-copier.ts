import { DAY_MS, type Days, dayOf } from './calendar-days.js';
import type { MirrorStore } from './mirror.store.js';
import { MirrorError } from './mirror-error.js';
import type { UnleashLog } from './unleash-log.js';

/**
 * The number of events that a page repeats from the end of the previous page. Unleash before version 8 returns events with equal
 * times in varying order.
 */
const OVERLAP = 20;
/** The largest part of a page that repeats the previous one in the first pass. Further passes add a random part (`overlapOf`). */
const LARGEST_OVERLAP_SHARE = 0.75;

/** How often a range of days is read at most. It is read again until as many events were seen as Unleash reports. */
const MAX_PASSES = 20;

export type PageCopier = ReturnType<typeof createPageCopier>;

/**
 * Copies events of an Unleash server, page by page, and counts those that the copy lacked.
 * @param onPage runs after each page of Unleash
 */
export function createPageCopier(log: UnleashLog, store: MirrorStore, onPage: () => Promise<void>) {
  let added = 0;

  const copyPage = async (days: Days, offset: number, seen: Set<number>, pass = 1) => {
    const { events, total, size } = await log.readPage(days, offset);
    await onPage();
    for (const { id } of events) seen.add(id);
    const count = await store.add(events);
    added += count;
    return { next: events.length < size ? null : offset + size - overlapOf(pass, size), isNew: count > 0, total };
  };

  return {
    /** The number of events added so far. */
    get added() {
      return added;
    },

    /** Copies the newest events, up to a page without new ones. */
    async copyNewest(): Promise<void> {
      const days = { from: dayOf(Date.now() - DAY_MS), to: dayOf(Date.now() + DAY_MS) };
      let page = await copyPage(days, 0, new Set());
      while (page.isNew && page.next !== null) page = await copyPage(days, page.next, new Set());
    },

    /**
     * Copies the events that these days have when a pass begins.
     * @param between runs between two pages
     * @returns how many events the days have
     */
    async copyDays(days: Days, between: () => Promise<void>): Promise<number> {
      const seen = new Set<number>();
      for (let pass = 1; ; pass += 1) {
        let page = await copyPage(days, 0, seen, pass);
        const { total } = page;
        while (page.next !== null) {
          await between();
          page = await copyPage(days, page.next, seen, pass);
        }
        if (seen.size >= total) return seen.size;
        if (pass === MAX_PASSES) {
          throw new MirrorError(
            `Unleash returned only ${seen.size} of the ${total} events from ${days.from ?? 'the first'} to ${days.to ?? 'the last'}, in ${pass} passes.`,
          );
        }
      }
    },
  };
}

/**
 * Returns the number of events by which two pages overlap. It grows with each pass, so that events with equal times fit on one
 * page. From the second pass on it is random, so that events with equal times that fill several pages are split in another place
 * each time.
 */
function overlapOf(pass: number, size: number): number {
  const least = Math.min(size * LARGEST_OVERLAP_SHARE, OVERLAP * 2 ** (pass - 1));
  return Math.floor(pass === 1 ? least : least + Math.random() * size * (1 - LARGEST_OVERLAP_SHARE) * LARGEST_OVERLAP_SHARE);
}
