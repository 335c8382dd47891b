import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** By which a secret of the gateway is known, also to scanners for what has leaked. */
const PREFIX = 'flaggw_';

/** A new API token: 256 random bits. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Whether the gateway made it: such a one is nobody else's business. */
export function isOwnSecret(secret: string): boolean {
  return secret.startsWith(PREFIX);
}

/** Whether a client can send it in a header; what it cannot is the token of nobody. */
export function isHeaderValue(secret: string): boolean {
  return /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(secret);
}

/** The SHA-256 of a secret, in hex: all that is stored. A slow hash is for passwords; these secrets cannot be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
