import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Marks a secret of the gateway, for secret scanners too. */
const PREFIX = 'flaggw_';

/** Creates an API token of 256 random bits. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Whether the gateway created the secret. Such a secret is never sent to Unleash. */
export function isOwnSecret(secret: string): boolean {
  return secret.startsWith(PREFIX);
}

/** Whether a header can carry the secret. Any other text cannot be a token. */
export function isHeaderValue(secret: string): boolean {
  return /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(secret);
}

/** Whether a cookie can have this value (RFC 6265, 4.1.1). Any other text cannot be a session. */
export function isCookieValue(secret: string): boolean {
  return /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(secret);
}

/** Returns the SHA-256 of a secret in hex, the only form that is stored. Unlike passwords, random secrets need no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
