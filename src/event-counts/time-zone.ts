/** The rule of `isTimeZone` in words, for messages. */
export const TIME_ZONE_RULE = 'must be the name of a time zone in the IANA database, such as Europe/Berlin';

/** Excludes offsets such as `+02:00`. PostgreSQL inverts their signs. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** Whether a time zone of the IANA database has this name. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
