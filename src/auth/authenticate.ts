import { GatewayError } from '../errors.js';
import type { Caller } from './caller.js';

/** Finds the caller of a request by its `authorization` header (spec 5). `address` is the address of the client. */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Caller>;

/** Finds the caller that a secret belongs to; null if the secret is not recognized. */
export type FindCaller = (secret: string) => Promise<Caller | null>;

/**
 * Authenticates all requests, for REST and GraphQL alike. The finders are tried in order, until one recognizes the secret.
 * @returns a function that throws `AuthenticationRequired` without a token, and `UnauthorizedError` if no finder recognizes it
 */
export function createAuthenticate(finders: readonly FindCaller[]): Authenticate {
  return async (authorization) => {
    const secret = readSecret(authorization);
    if (secret === '') {
      throw new GatewayError(
        'AuthenticationRequired',
        'You must log in to use this: send an API token in the authorization header.',
      );
    }
    for (const find of finders) {
      const caller = await find(secret);
      if (caller) return caller;
    }
    throw new GatewayError('UnauthorizedError', 'The API token is not recognized, or is no longer valid.');
  };
}

/** Reads `<token>` or `Bearer <token>`, in upper or lower case, with or without surrounding whitespace. */
export function readSecret(authorization = ''): string {
  return authorization.trim().replace(/^bearer\s+/i, '');
}
