import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new API token: 256 random bits behind a prefix by which scanners for leaked secrets can know it. */
export function newSecret(): string {
  return `flaggw_${randomBytes(32).toString('base64url')}`;
}

/** The SHA-256 of a secret, in hex: all that is stored. A slow hash is for passwords; these secrets cannot be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
