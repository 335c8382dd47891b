import { toStoredTime } from '../formats/stored-time.js';

/** Returns an instant as text that PostgreSQL parses. PostgreSQL has its own form for years outside of 0001 to 9999. */
export function toText(instant: Date): string {
  const text = instant.toISOString();
  return toStoredTime(text) ?? text;
}
