import { isStorableText, TEXT_RULE } from '../formats/text.js';

/** A person or service account that signed up with a token (spec 2.5). */
export interface User {
  readonly id: number;
  readonly name: string | null;
  readonly username: string | null;
  readonly email: string | null;
  readonly imageUrl: string | null;
  readonly loginAttempts: number | null;
  readonly rootRole: number | null;
  readonly seenAt: Date | null;
  readonly createdAt: Date | null;
  readonly isService: boolean;
  readonly permissions: readonly string[];
  readonly scimId: string | null;
}

/** A role (spec 2.6). */
export interface Role {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly description: string | null;
}

/** A public signup token as it is stored (spec 2.4). */
export interface SignupToken {
  readonly secret: string;
  readonly url: string | null;
  readonly name: string;
  /** What was set; a token that is enabled may have expired. */
  readonly enabled: boolean;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly users: readonly User[];
  readonly role: Role;
  /** Of an answer that is given again: when it was given first. */
  readonly respondedAt?: Date;
}

/** Whether somebody can sign up with the token (spec 3): never with an expired one. */
export function isUsable({ enabled, expiresAt }: SignupToken, now: Date): boolean {
  return enabled && expiresAt > now;
}

/** A request that may be sent again, and takes effect once. */
export interface IdempotentRequest {
  /** By whom it was sent. */
  readonly caller: string;
  readonly key: string;
  /** Stands for what was asked. */
  readonly requestHash: string;
}

export const IDEMPOTENCY_KEY_RULE = 'must be a text of 1 to 255 visible ASCII characters';

export function isIdempotencyKey(key: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(key);
}

export const NAME_RULE = `must be a text with something other than blanks in it, and ${TEXT_RULE}`;

/** Whether a text can name a token. */
export function isName(text: string): boolean {
  return text.trim() !== '' && isStorableText(text);
}
