import { DAY_MS, type Days, dayBefore, dayOf, FIRST_DAY, nextDay } from './calendar-days.js';
import type { MirrorStore } from './mirror.store.js';
import { MirrorError } from './mirror-error.js';
import type { PageCopier } from './page-copier.js';
import type { UnleashLog } from './unleash-log.js';

/** Runs before each range of days and between its pages. `day` is the first day of the range; null if the range has none. */
export type BeforePage = (day: string | null) => Promise<void>;

/** The range for Unleash versions that cannot search by days. */
const WHOLE_LOG: Days = { from: null, to: null };
/** The range of all events up to and including `FIRST_DAY`. */
const BEFORE_ALL_DAYS: Days = { from: null, to: FIRST_DAY };

/**
 * Copies all days up to today that are not marked as complete, and then the events with times in the future.
 * @param total how many events Unleash had at the start
 * @returns when the copying of the last range began, as `Date.now()`: the copy has all events that Unleash had then
 * @throws MirrorError if the copy has fewer events than `total`
 */
export async function catchUp(
  log: UnleashLog,
  store: MirrorStore,
  copier: PageCopier,
  total: number,
  beforePage: BeforePage,
): Promise<number> {
  let rangeBegan = Date.now();
  const copyRange = async (days: Days): Promise<number> => {
    await beforePage(days.from);
    rangeBegan = Date.now();
    return copier.copyDays(days, () => beforePage(days.from));
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
  /**
   * Finds the first event on or after the day `from`, and returns the day before the event; null without such an event. In a time
   * zone west of UTC, the event may belong to that earlier day for Unleash.
   */
  const findDayBefore = async (from: string | null): Promise<string | null> => {
    const first = await log.findFirstDay(from);
    return first === null ? null : dayBefore(first);
  };

  /** Returns the next day to copy. If `copied` is 0, skips days without events, and returns null if no events follow. */
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

  // In the time zone of the Unleash server, the next UTC day may already have begun.
  const end = dayOf(Date.now() + DAY_MS);
  let day = await findStart();
  while (day !== null && day <= end) {
    // The range includes the next day. If the time zone of the Unleash server is west of UTC, Unleash's filter for a day ends
    // before that day is over in this time zone.
    const copied = await copyRange({ from: day, to: nextDay(day) });
    // A day is complete two days after its end. Until then, a late commit may add events, or Unleash's time zone may be behind.
    if (nextDay(day) <= dayOf(Date.now() - 2 * DAY_MS)) await store.setCompleteBefore(nextDay(day));
    day = await findNext(day, copied);
  }
  // Copies events with times in the future, which a wrong clock or a manual change may have written.
  if (day !== null) await copyRange({ from: nextDay(end), to: null });
}
