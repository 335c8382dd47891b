import { DAY_MS, type Days, dayBefore, dayOf, FIRST_DAY, nextDay } from './calendar-days.js';
import type { MirrorStore } from './mirror.store.js';
import { MirrorError } from './mirror-error.js';
import type { PageCopier } from './page-copier.js';
import type { UnleashLog } from './unleash-log.js';

/** Runs before each page. `day` is the day that is being copied; null for a range without a first day. */
export type Between = (day: string | null) => Promise<void>;

/** The range for Unleash versions that cannot search by days. */
const WHOLE_LOG: Days = { from: null, to: null };
/** The range up to the first day that a search can name, with all events before that day. */
const BEFORE_ALL_DAYS: Days = { from: null, to: FIRST_DAY };

/**
 * Copies all days up to now that are not marked as complete, and then the events with later times.
 * @param total how many events Unleash had at the start
 * @returns when the copying of the last range began, as `Date.now()`: the copy has all events that Unleash had then
 * @throws MirrorError if the copy has fewer events than `total`
 */
export async function catchUp(
  log: UnleashLog,
  store: MirrorStore,
  copier: PageCopier,
  total: number,
  between: Between,
): Promise<number> {
  let rangeBegan = Date.now();
  const copyRange = async (days: Days): Promise<number> => {
    await between(days.from);
    rangeBegan = Date.now();
    return copier.copyDays(days, () => between(days.from));
  };

  if (await log.canSearchByDays()) await copyByDays(log, store, copyRange);
  else await copyRange(WHOLE_LOG);
  const copied = await store.count();
  if (copied >= total) return rangeBegan;
  await store.setCompleteBefore(null);
  throw new MirrorError(
    `Unleash has ${total} events, and the copy has ${copied}. Run the command again to read all days once more.`,
  );
}

async function copyByDays(log: UnleashLog, store: MirrorStore, copyRange: (days: Days) => Promise<number>): Promise<void> {
  /** Returns the day before the first event from `from` on, because Unleash may use another time zone; null if there is none. */
  const findDayBefore = async (from: string | null): Promise<string | null> => {
    const first = await log.findFirstDay(from);
    return first === null ? null : dayBefore(first);
  };

  /**
   * Returns the next day to copy, or null. After a day without events, skips the empty days that follow, perhaps years of them.
   */
  const findNext = async (day: string, copied: number): Promise<string | null> => {
    if (copied > 0) return nextDay(day);
    const next = await findDayBefore(nextDay(day));
    if (next === null) return null;
    return next > day ? next : nextDay(day);
  };

  const findStart = async (): Promise<string | null> => {
    const complete = await store.findCompleteBefore();
    if (complete !== null) return complete;
    const first = await findDayBefore(null);
    if (first !== FIRST_DAY) return first;
    await copyRange(BEFORE_ALL_DAYS);
    return findDayBefore(nextDay(FIRST_DAY));
  };

  // In the time zone of the Unleash server, it may already be tomorrow.
  const end = dayOf(Date.now() + DAY_MS);
  let day = await findStart();
  while (day !== null && day <= end) {
    // Includes the next day, because in time zones west of UTC, Unleash's filter for a day ends before the day is over.
    const copied = await copyRange({ from: day, to: nextDay(day) });
    // A day is complete two days later. Unleash's time zone may be behind, and a transaction of that day may commit only now.
    if (nextDay(day) <= dayOf(Date.now() - 2 * DAY_MS)) await store.setCompleteBefore(nextDay(day));
    day = await findNext(day, copied);
  }
  // A wrong clock or a manual change may have written times of the future.
  if (day !== null) await copyRange({ from: nextDay(end), to: null });
}
