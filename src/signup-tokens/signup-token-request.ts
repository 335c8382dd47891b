import { hash } from 'node:crypto';
import { Problems } from '../errors.js';
import { isStorableText, TEXT_RULE } from '../formats/text.js';

/** The properties of a new token that its caller chooses. */
export interface SignupTokenRequest {
  readonly name: string;
  readonly expiresAt: Date;
}

/** A request that can be retried, and takes effect once. */
export interface IdempotentRequest {
  /** The id of the caller. */
  readonly caller: string;
  readonly key: string;
  /** A hash of the input, which detects a key that is used for another request. */
  readonly requestHash: string;
}

export const IDEMPOTENCY_KEY_RULE = 'must be a text of 1 to 255 visible ASCII characters';

export function isIdempotencyKey(key: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(key);
}

export const NAME_RULE = `must be a text with at least one character that is not blank, and ${TEXT_RULE}`;

/** Whether a text is a valid name of a token. */
export function isName(text: string): boolean {
  return text.trim() !== '' && isStorableText(text);
}

const DAY_MS = 86_400_000;

/** The rule for `expiresAt` in an Unleash database. Unleash would never accept a token that breaks it. */
export const EXPIRY_RULE_OF_UNLEASH =
  'must be after the present day, because Unleash compares days and would not accept the invitation';

/** Checks a request. @param maxDays how many days a token may last; null for any time */
export function findProblems(
  { name, expiresAt }: SignupTokenRequest,
  idempotencyKey: string | null,
  maxDays: number | null,
): Problems {
  const problems = new Problems();
  if (!isName(name)) problems.add('name', NAME_RULE);
  if (maxDays !== null && expiresAt.getTime() > Date.now() + maxDays * DAY_MS)
    problems.add('expiresAt', `must be within ${maxDays} days from now`);
  if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey)) problems.add('idempotencyKey', IDEMPOTENCY_KEY_RULE);
  return problems;
}

/** Returns a hash that distinguishes a retry from another request with the same key. */
export function hashOf({ name, expiresAt }: SignupTokenRequest): string {
  return hash('sha256', JSON.stringify([name, expiresAt.toISOString()]));
}
