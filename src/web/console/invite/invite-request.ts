const DAY_MS = 86_400_000;

/** The lifetimes that the form offers for an invite link. */
export const PRESETS = [
  { label: '1 day', days: 1 },
  { label: '7 days', days: 7 },
  { label: '30 days', days: 30 },
  { label: '90 days', days: 90 },
] as const;

/** Returns the expiry of a link that is valid for `days` from `now` on, in ISO 8601. */
export const toEnd = (now: number, days: number): string => new Date(now + days * DAY_MS).toISOString();

/** Returns a random idempotency key. Avoids `crypto.randomUUID`, which exists only on pages over HTTPS and from localhost. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
