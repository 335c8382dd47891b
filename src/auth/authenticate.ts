import { GatewayError } from '../errors.js';
import type { ApiTokenStore, StoredApiToken } from './api-token.store.js';
import type { Caller } from './caller.js';
import { hashSecret, isSameHash } from './secret.js';

/** `last_used_at` is kept to the minute, so that reading does not write at every request. */
const USE_NOTED_EVERY_MS = 60_000;

/** Who a request is from, by the value of its `authorization` header (spec 5). */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

/**
 * The one way in, for REST and GraphQL alike.
 * @returns a function that throws `AuthenticationRequired` without a token, `UnauthorizedError` with one that is not known or expired
 */
export function createAuthenticate(store: ApiTokenStore): Authenticate {
  return async (authorization) => {
    const secret = readSecret(authorization);
    if (secret === '') {
      throw new GatewayError(
        'AuthenticationRequired',
        'You must log in to use this: send an API token in the authorization header.',
      );
    }
    const hash = hashSecret(secret);
    const token = await store.find(hash);
    if (!token || !isSameHash(token.hash, hash) || isExpired(token)) {
      throw new GatewayError('UnauthorizedError', 'The API token is not known here, or no longer valid.');
    }
    if (isUseDue(token)) await store.noteUse(hash, new Date()).catch(() => undefined); // a read-only database still serves reads
    return toCaller(token);
  };
}

/** `<token>`, or `Bearer <token>` in any case, with blanks around it. */
function readSecret(authorization = ''): string {
  return authorization.trim().replace(/^bearer\s+/i, '');
}

function isExpired({ expiresAt }: StoredApiToken): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now();
}

function isUseDue({ lastUsedAt }: StoredApiToken): boolean {
  return lastUsedAt === null || Date.now() - lastUsedAt.getTime() > USE_NOTED_EVERY_MS;
}

function toCaller({ name, role, projects }: StoredApiToken): Caller {
  return { name, email: null, userId: null, role, projects: projects.includes('*') ? 'all' : projects };
}
