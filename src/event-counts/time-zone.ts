import { LRUCache } from 'lru-cache';

/** The rule of `isTimeZone` in words, for messages. */
export const TIME_ZONE_RULE = 'must be the name of a time zone in the IANA database, such as Europe/Berlin';

/** Excludes offsets such as `+02:00`, because PostgreSQL inverts their signs. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/**
 * The names of three letters in the IANA database. V8 also accepts abbreviations such as `IST`, which mean other zones to
 * PostgreSQL.
 */
const SHORT_NAMES: ReadonlySet<string> = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '));

/** Zones that PostgreSQL takes for abbreviations of fixed offsets, and zones with the same clocks to use in their place. */
const TAKEN_FOR_ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['CET', 'Europe/Brussels'],
  ['EET', 'Europe/Athens'],
  ['MET', 'Europe/Brussels'],
  ['WET', 'Europe/Lisbon'],
]);

/** Caches the most recent look-ups, because a look-up takes a few tenths of a millisecond. */
const known = new LRUCache<string, boolean>({ max: 1_000, memoMethod: isSupported });

/** Whether a time zone of the IANA database has this name. */
export function isTimeZone(name: string): boolean {
  return NAME.test(name) && (name.length !== 3 || SHORT_NAMES.has(name.toUpperCase())) && known.memo(name);
}

/** Returns the name by which PostgreSQL finds a time zone. */
export function toPostgresZone(name: string): string {
  return TAKEN_FOR_ABBREVIATIONS.get(name.toUpperCase()) ?? name;
}

function isSupported(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
