import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { GatewayError } from '../errors.js';
import type { FindCaller } from './authenticate.js';
import type { Caller } from './caller.js';
import { type Credential, type CredentialKind, SESSION_COOKIE } from './credential.js';
import { isOwnSecret, isSession, isToken } from './secret.js';
import { createSemaphore } from './semaphore.js';

export interface UnleashUsersOptions {
  /** The URL of Unleash, without a trailing slash. */
  readonly url: string;
  /** How long a result is cached, also for an unknown token. With 0, only concurrent requests share a result. */
  readonly cacheMs: number;
}

/** The path under which Unleash describes the owner of a token or a session. */
const USER_PATH = '/api/admin/user';

/** The statuses with which Unleash, or a proxy in front of it, rejects a secret that it does not know or that is too long. */
const REJECTIONS: ReadonlySet<number> = new Set([400, 401, 413, 414, 431]);

/** The time limit for a response of Unleash. */
const TIMEOUT_MS = 2_000;

/** The most cached results, and the most credentials that are remembered as valid. */
const MAX_CREDENTIALS = 10_000;

/**
 * The number of concurrent requests to Unleash for tokens that have not been valid before. Wrong tokens must neither flood
 * Unleash nor delay valid ones. Further requests wait for their turn, for at most `TIMEOUT_MS`.
 */
const MAX_CONCURRENT_CHECKS = 32;

/** The fields of a user that Unleash returns for a token. All others are ignored. */
const wireUser = z.object({
  user: z.object({
    id: z.int().nullish(),
    name: z.string().nullish(),
    username: z.string().nullish(),
    email: z.string().nullish(),
    // Unleash sends this id instead of `id` for a token that belongs to no user.
    internalAdminTokenUserId: z.int().nullish(),
    projects: z.array(z.string()).nullish(),
  }),
  permissions: z.array(z.object({ permission: z.string() })),
});

type CredentialCheck = { readonly caller: Caller } | { readonly rejection: 'unknown' | 'other kind' };

/**
 * Asks Unleash for the owners of sessions, personal access tokens, API tokens of administrators and tokens of service accounts.
 * Sends secrets only to Unleash.
 * @returns a lookup for each kind, which throws `PermissionError` for a token that is not for the admin API, and
 *   `ServiceUnavailableError` while Unleash is unavailable
 */
export function createUnleashUsers({ url, cacheMs }: UnleashUsersOptions): Readonly<Record<CredentialKind, FindCaller>> {
  const semaphore = createSemaphore(MAX_CONCURRENT_CHECKS);
  const wereValid = new LRUCache<string, true>({ max: MAX_CREDENTIALS });
  const checkInTurn = async (id: string, credential: Credential): Promise<CredentialCheck> => {
    const check = () => checkCredential(url, credential);
    const result = await (wereValid.has(id) ? check() : semaphore.run(check, TIMEOUT_MS));
    if ('caller' in result) wereValid.set(id, true);
    else wereValid.delete(id);
    return result;
  };
  // The key is a hash, so that no secret outlives its request.
  const checks = new LRUCache<string, CredentialCheck, Credential>({
    max: MAX_CREDENTIALS,
    ttl: Math.max(1, cacheMs),
    // With another resolution, the cache starts a timer whenever it reads the clock.
    ttlResolution: 0,
    // Concurrent requests with the same token wait for the same result.
    fetchMethod: (id, _stale, { context: credential }) => checkInTurn(id, credential),
    ignoreFetchAbort: true,
  });
  const find = async (credential: Credential): Promise<Caller | null> => {
    if (isOwnSecret(credential.secret)) return null;
    const result = await checks.fetch(credential.hash, { context: credential });
    if (!result || ('rejection' in result && result.rejection === 'unknown')) return null;
    if ('caller' in result) return result.caller;
    throw new GatewayError(
      'PermissionError',
      'This API token is not for the admin API. Use a personal access token or that of an administrator or a service account.',
    );
  };
  return {
    token: async (credential) => (isToken(credential.secret) ? find(credential) : null),
    session: async (credential) => (isSession(credential.secret) ? find(credential) : null),
  };
}

async function checkCredential(url: string, credential: Credential): Promise<CredentialCheck> {
  const { kind, secret } = credential;
  try {
    const response = await fetch(`${url}${USER_PATH}`, {
      headers: {
        ...(kind === 'token' ? { authorization: secret } : { cookie: `${SESSION_COOKIE}=${encodeURIComponent(secret)}` }),
        accept: 'application/json',
      },
      // Never follows a redirect, because the secret is meant for this URL alone.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 200 && !isJson(response)) throw new Error(`${describe(url, response)}, which is not a user.`);
    if (response.status === 200) return { caller: toCaller(credential.hash, wireUser.parse(await response.json())) };
    await response.body?.cancel();
    if (REJECTIONS.has(response.status)) return { rejection: 'unknown' };
    if (response.status === 403) return { rejection: 'other kind' };
    throw new Error(`${describe(url, response)}.`);
  } catch (cause) {
    throw unavailable(cause);
  }
}

/**
 * Checks the URL by a request without a token, which a working Unleash server rejects.
 * @returns null for a 401 in JSON, as Unleash sends it, and otherwise a description of the problem, which may be temporary
 */
export async function findUnleashProblem(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}${USER_PATH}`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status === 401 && isJson(response) ? null : describe(url, response);
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error;
    return `${url} is unavailable: ${message}`;
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true;
}

function describe(url: string, { status, headers }: Response): string {
  return `${url} responded with ${status} ${headers.get('content-type') ?? 'without a type'} to GET ${USER_PATH}`;
}

function unavailable(cause: unknown): GatewayError {
  const message = 'Unleash, which checks API tokens and sessions, is unavailable. Try again in a few seconds.';
  return new GatewayError('ServiceUnavailableError', message, { cause });
}

/**
 * Gives administrators of Unleash the role ADMIN, and all other users the role VIEWER. As in Unleash, a VIEWER does not see
 * events without a project.
 */
function toCaller(credentialHash: string, { user, permissions }: z.infer<typeof wireUser>): Caller {
  const isAdmin = permissions.some(({ permission }) => permission === 'ADMIN');
  const email = user.email || null;
  const limited = user.projects?.includes('*') === false ? user.projects : null;
  return {
    // All tokens and sessions of a user share one budget. An id below 1 belongs to no particular user.
    id: user.id && user.id > 0 ? `unleash-user-${user.id}` : credentialHash,
    name: user.username || email || user.name || 'unknown',
    email,
    userId: user.id ?? user.internalAdminTokenUserId ?? null,
    role: isAdmin ? 'ADMIN' : 'VIEWER',
    projects: limited ?? (isAdmin ? 'all' : 'any project'),
    expiresAt: null,
  };
}
