import { useZone } from '../preferences/time-zone.js';
import { formatIn, formatRelative } from './day.js';
import { useNow } from './use-now.js';

/** A time in words, with the whole date as its title. @param form `clock` for the time of day, where a heading names the day */
export function TimeText({ instant, form }: { readonly instant: string; readonly form: 'clock' | 'relative' | 'full' }) {
  const { timeZone } = useZone();
  const now = useNow();
  const format = formatIn(timeZone);
  const texts = {
    clock: () => format.clockOf(instant),
    full: () => format.fullOf(instant),
    relative: () => formatRelative(instant, now),
  };
  return (
    <time dateTime={instant} title={format.fullOf(instant)}>
      {texts[form]()}
    </time>
  );
}
