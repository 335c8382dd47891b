import { useZone } from '../preferences/time-zone.js';
import { formatIn } from './day.js';
import { useDayCount } from './use-day-count.js';
import type { EventListKey } from './use-event-pages.js';

interface DayHeadingProps {
  /** An instant of the day. */
  readonly instant: string;
  readonly listKey: EventListKey;
  /** Whether the heading only repeats another one, which has left the view. */
  readonly isCopy?: boolean;
}

/** The heading of a day with the number of its events. */
export function DayHeading({ instant, listKey, isCopy = false }: DayHeadingProps) {
  const { timeZone } = useZone();
  const count = useDayCount(instant, listKey);
  const text = formatIn(timeZone).headingOf(instant);
  const counted = count !== null && <span className="day-count">{count.toLocaleString('en')}</span>;
  // The copy is only for the eyes: screen readers find the heading in the list.
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
