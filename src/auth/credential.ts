import { hashSecret } from './secret.js';

/** The cookie in which Unleash's own UI keeps the session of its user. */
export const SESSION_COOKIE = 'unleash-session';

/** The kinds of secrets that identify a caller: an API token, or the session of a user in Unleash's own UI. */
export type CredentialKind = 'token' | 'session';

/** The secret that a request was sent with. */
export interface Credential {
  readonly kind: CredentialKind;
  readonly secret: string;
  /** The hash of the secret. A token and a session have different hashes, even if their texts are equal. */
  readonly hash: string;
}

export function createCredential(kind: CredentialKind, secret: string): Credential {
  return { kind, secret, hash: hashSecret(kind === 'token' ? secret : `session\n${secret}`) };
}
