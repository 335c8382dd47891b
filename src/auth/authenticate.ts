import { GatewayError } from '../errors.js';
import type { Caller } from './caller.js';
import type { Credential, CredentialKind } from './credential.js';

/** Finds the caller of a request (spec 5). `credential` is null if the request has none. `address` is the client's address. */
export type Authenticate = (credential: Credential | null, address: string) => Promise<Caller>;

/**
 * Finds the caller that a credential belongs to; null if it is not recognized. The finders (token-cache.ts, configured-admins.ts
 * and unleash-users.ts) decide whether a credential is valid, which role it has, and which projects it may see.
 */
export type FindCaller = (credential: Credential) => Promise<Caller | null>;

/** The lookups for each kind of credential. */
export type FindersByKind = Readonly<Record<CredentialKind, readonly FindCaller[]>>;

const UNRECOGNIZED: Readonly<Record<CredentialKind, string>> = {
  token: 'The API token is not recognized, or is no longer valid.',
  session: 'The session is not recognized, or has ended. Log in to Unleash again.',
};

/**
 * Authenticates all requests, for REST and GraphQL alike. The finders are tried in order, until one recognizes the credential.
 * @returns a function that throws `AuthenticationRequired` without a credential, and `UnauthorizedError` if no finder recognizes
 *   the secret
 */
export function createAuthenticate(finders: FindersByKind): Authenticate {
  return async (credential) => {
    if (credential === null || credential.secret === '') {
      throw new GatewayError(
        'AuthenticationRequired',
        'You must log in to use this: send an API token in the authorization header.',
      );
    }
    const { kind } = credential;
    for (const find of finders[kind]) {
      const caller = await find(credential);
      if (caller) return caller;
    }
    throw new GatewayError('UnauthorizedError', UNRECOGNIZED[kind]);
  };
}
