/** The two zones between which people switch. */
export type ZoneChoice = 'utc' | 'local';

/** The name of a zone in the IANA database, as `Intl` and the API take it. */
export const toTimeZone = (choice: ZoneChoice): string =>
  choice === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
