import { DAY_MS, type Days, dayOf } from './calendar-days.js';
import type { MirrorStore } from './mirror.store.js';
import { MirrorError } from './mirror-error.js';
import type { UnleashLog } from './unleash-log.js';

/**
 * The number of events that a page of the first pass repeats from the end of the previous page. Unleash before version 8 returns
 * events with equal times in varying order, so pages without an overlap could omit events.
 */
const OVERLAP = 20;
/** The largest share of a page that the regular overlap takes. From the second pass on, `overlapOf` adds a random part. */
const LARGEST_OVERLAP_SHARE = 0.75;

/** The most passes over a range of days. Passes are repeated until the copier has seen as many events as Unleash reports. */
const MAX_PASSES = 20;

export type PageCopier = ReturnType<typeof createPageCopier>;

/**
 * Copies events of an Unleash server, page by page, and counts those that the copy lacked.
 * @param onPage runs after Unleash has returned a page
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

    /** Copies pages, the newest first, until a page has no new event. */
    async copyNewest(): Promise<void> {
      const days = { from: dayOf(Date.now() - DAY_MS), to: dayOf(Date.now() + DAY_MS) };
      let page = await copyPage(days, 0, new Set());
      while (page.isNew && page.next !== null) page = await copyPage(days, page.next, new Set());
    },

    /**
     * Copies all events that Unleash has for these days when the last pass begins. A pass reads all pages. It is repeated until
     * the copier has seen as many events as Unleash reported at the start of the pass.
     * @param between runs between two pages of a pass
     * @returns how many different events Unleash returned
     * @throws MirrorError if Unleash has returned too few events after `MAX_PASSES` passes
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
 * Returns the number of events by which two pages overlap. The overlap grows with each pass, so that a group of events with equal
 * times fits on one page. If a group fills several pages, the random part moves the page boundaries within it in each pass.
 */
function overlapOf(pass: number, size: number): number {
  const least = Math.min(size * LARGEST_OVERLAP_SHARE, OVERLAP * 2 ** (pass - 1));
  return Math.floor(pass === 1 ? least : least + Math.random() * size * (1 - LARGEST_OVERLAP_SHARE) * LARGEST_OVERLAP_SHARE);
}
