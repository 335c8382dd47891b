const DAY_MS = 86_400_000;

/** The choices for the end of an invite link. */
export const PRESETS = [
  { label: '1 day', days: 1 },
  { label: '7 days', days: 7 },
  { label: '30 days', days: 30 },
  { label: '90 days', days: 90 },
] as const;

/** The end of a link that is created at `now`, as the API takes it. */
export const toEnd = (now: number, days: number): string => new Date(now + days * DAY_MS).toISOString();

/** Makes a key for the attempts of one request. `crypto.randomUUID` exists only on pages over HTTPS and of this machine. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
