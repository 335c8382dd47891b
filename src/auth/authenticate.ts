import { GatewayError } from '../errors.js';
import type { Caller } from './caller.js';

/** Who a request is from, by the value of its `authorization` header (spec 5) and the address that it came from. */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Caller>;

/** Who a secret belongs to; null if that is not known here. */
export type FindCaller = (secret: string) => Promise<Caller | null>;

/**
 * The one way in, for REST and GraphQL alike. Who a secret belongs to is asked one after the other, until one knows.
 * @returns a function that throws `AuthenticationRequired` without a token, `UnauthorizedError` with one that nobody knows
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
    throw new GatewayError('UnauthorizedError', 'The API token is not known here, or no longer valid.');
  };
}

/** `<token>`, or `Bearer <token>` in any case, with blanks around it. */
export function readSecret(authorization = ''): string {
  return authorization.trim().replace(/^bearer\s+/i, '');
}
