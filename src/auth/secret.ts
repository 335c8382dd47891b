import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The prefix of every secret that the gateway creates. Secret scanners can also find such secrets by this prefix. */
const PREFIX = 'flaggw_';

/** Creates an API token of 256 random bits. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Whether the gateway created the secret. Such a secret is never sent to Unleash. */
export function isOwnSecret(secret: string): boolean {
  return secret.startsWith(PREFIX);
}

/** The longest token or session, in characters. A secret of Unleash has about a hundred. Unleash rejects much longer headers. */
const MAX_LENGTH = 4096;

/**
 * Whether the text can be a token. A token must not begin with `Bearer`. From the header `Bearer Bearer X`, the gateway would read
 * the token `Bearer X`, which Unleash accepts as the token X. The token X would then have a second budget.
 */
export function isToken(secret: string): boolean {
  return secret.length <= MAX_LENGTH && /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(secret) && !/^bearer(\s|$)/i.test(secret);
}

/** Whether the text can be a session: the characters that a cookie can have without encoding (RFC 6265, 4.1.1). */
export function isSession(secret: string): boolean {
  return secret.length <= MAX_LENGTH && /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(secret);
}

/** Returns the SHA-256 of a secret in hex, the only form that is stored. Unlike passwords, random secrets need no slow hash. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
