import { useZone } from '../preferences/time-zone.js';
import { formatAbsolute, formatRelative, formatTimeOfDay } from '../time/format-time.js';
import { useNow } from './use-now.js';

/** A time as text, with the full time as a tooltip. @param form `clock` is the time of day, for rows below a day's heading */
export function TimeText({ instant, form }: { readonly instant: string; readonly form: 'clock' | 'relative' | 'full' }) {
  const { timeZone } = useZone();
  const now = useNow();
  const at = new Date(instant);
  const texts = {
    clock: () => formatTimeOfDay(at, timeZone),
    full: () => formatAbsolute(at, timeZone),
    relative: () => formatRelative(at, new Date(now)),
  };
  return (
    <time dateTime={instant} title={formatAbsolute(at, timeZone)}>
      {texts[form]()}
    </time>
  );
}
