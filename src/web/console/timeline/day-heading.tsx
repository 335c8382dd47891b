import { useZone } from '../preferences/time-zone.js';
import { dayOf, formatDay } from '../time/days.js';
import { useDayCount } from './use-day-count.js';
import type { EventListKey } from './use-event-pages.js';
import { useNow } from './use-now.js';

interface DayHeadingProps {
  /** An instant of the day. */
  readonly instant: string;
  readonly listKey: EventListKey;
  /** Whether this is the copy that stays at the top of the window while the rows of the day scroll past. */
  readonly isCopy?: boolean;
}

/** The heading of a day with the number of its events. */
export function DayHeading({ instant, listKey, isCopy = false }: DayHeadingProps) {
  const { timeZone } = useZone();
  const count = useDayCount(instant, listKey);
  const now = useNow();
  const text = formatDay(dayOf(new Date(instant), timeZone), new Date(now), timeZone);
  const counted = count !== null && <span className="day-count">{count.toLocaleString('en')}</span>;
  // Hides the copy from screen readers, because it repeats a heading of the list.
  if (isCopy) {
    return (
      <div className="day-heading" aria-hidden>
        {text}
        {counted}
      </div>
    );
  }
  return (
    <h2 className="day-heading">
      {text}
      {counted}
    </h2>
  );
}
