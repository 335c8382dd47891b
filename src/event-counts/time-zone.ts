import { LRUCache } from 'lru-cache';

/** The rule of `isTimeZone` in words, for messages. */
export const TIME_ZONE_RULE = 'must be the name of a time zone in the IANA database, such as Europe/Berlin';

/** Excludes offsets such as `+02:00`, because PostgreSQL inverts their signs. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** Caches the most recent look-ups, because a look-up takes a few tenths of a millisecond. */
const known = new LRUCache<string, boolean>({ max: 1_000, memoMethod: isSupported });

/** Whether a time zone of the IANA database has this name. */
export function isTimeZone(name: string): boolean {
  return NAME.test(name) && known.memo(name);
}

function isSupported(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
