import { DAY_MS, type Days, dayBefore, dayOf, FIRST_DAY, nextDay } from './calendar-days.js';
import type { MirrorStore } from './mirror.store.js';
import { MirrorError } from './mirror-error.js';
import type { PageCopier } from './page-copier.js';
import type { UnleashLog } from './unleash-log.js';

/** Runs before each page. `day` is the day that is being copied; null for a range without a first day. */
export type Between = (day: string | null) => Promise<void>;

/** The range for Unleash versions that cannot search by days, and for the days that `FIRST_DAY` follows. */
const WHOLE_LOG: Days = { from: null, to: null };
const BEFORE_ALL_DAYS: Days = { from: null, to: FIRST_DAY };

/**
 * Copies all days up to now that are not marked as complete, and then what has a later time.
 * @param total how many events Unleash had at the start
 * @returns when the last range began, as `Date.now()`: the copy has all earlier events
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
  throw new MirrorError(`Unleash has ${total} events, and the copy ${copied}. Run it again to read all days once more.`);
}

async function copyByDays(log: UnleashLog, store: MirrorStore, copyRange: (days: Days) => Promise<number>): Promise<void> {
  /** Finds the day from which the next events have to be copied. In the time zone of the Unleash server, they may be from the day before. */
  const findDayBefore = async (from: string | null): Promise<string | null> => {
    const first = await log.findFirstDay(from);
    return first === null ? null : dayBefore(first);
  };

  /** Returns the next day, or after an empty one the next that may have events. There may be years without any. */
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
    // Includes the next day, because Unleash servers in western time zones end a day before it is over.
    const copied = await copyRange({ from: day, to: nextDay(day) });
    // A day is complete two days later: Unleash may be a day behind, and a transaction that began on that day may commit only now.
    if (nextDay(day) <= dayOf(Date.now() - 2 * DAY_MS)) await store.setCompleteBefore(nextDay(day));
    day = await findNext(day, copied);
  }
  // A wrong clock, or somebody by hand, may have written times of the future.
  if (day !== null) await copyRange({ from: nextDay(end), to: null });
}
