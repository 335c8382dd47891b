import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { GatewayError } from '../errors.js';
import type { FindCaller } from './authenticate.js';
import type { Caller } from './caller.js';
import { hashSecret, isHeaderValue, isOwnSecret } from './secret.js';
import { createSemaphore } from './semaphore.js';

export interface UnleashUsersOptions {
  /** Of the server, without a slash at the end. */
  readonly url: string;
  /** How long an answer holds, also that a token is not known; 0 for the requests that wait for it alone. */
  readonly cacheMs: number;
}

/** Where the server tells who a token belongs to. */
const WHO_AM_I = '/api/admin/user';

/** How long the server has to answer. */
const TIMEOUT_MS = 2_000;

/** Tokens whose answers are kept, the latest ones. */
const MAX_TOKENS = 10_000;

/**
 * Requests to the server for tokens that were not known to be valid before, at one time: guesses that are sent here must not become a flood
 * there, nor keep out those whose tokens are. The others wait as long as an answer may take.
 */
const MAX_ASKING = 32;

/** What the server says of whoever sends a token; the rest of its answer is left alone. */
const answer = z.object({
  user: z.object({
    id: z.int().nullish(),
    name: z.string().nullish(),
    username: z.string().nullish(),
    email: z.string().nullish(),
    // In place of an id, for tokens that belong to nobody.
    internalAdminTokenUserId: z.int().nullish(),
    projects: z.array(z.string()).nullish(),
  }),
  permissions: z.array(z.object({ permission: z.string() })),
});

type Answer = { readonly caller: Caller } | { readonly refusal: 'unknown' | 'other kind' };

/**
 * Asks a server who a token belongs to: its administrators' API tokens, personal access tokens and service accounts.
 * @returns a lookup that throws `PermissionError` for a token that is not for the admin API, and `ServiceUnavailableError` while the server
 *   does not answer: never a caller
 */
export function createUnleashUsers({ url, cacheMs }: UnleashUsersOptions): FindCaller {
  const slots = createSemaphore(MAX_ASKING);
  const wereValid = new LRUCache<string, true>({ max: MAX_TOKENS });
  const askInTurn = async (hash: string, secret: string): Promise<Answer> => {
    const found = wereValid.has(hash) ? await ask(url, secret) : await slots.run(() => ask(url, secret), TIMEOUT_MS);
    if ('caller' in found) wereValid.set(hash, true);
    else wereValid.delete(hash);
    return found;
  };
  // By the hash: a secret is kept by nobody for longer than its request.
  const answers = new LRUCache<string, Answer, string>({
    max: MAX_TOKENS,
    ttl: Math.max(1, cacheMs),
    // Those who come meanwhile wait for the same answer.
    fetchMethod: (hash, _stale, { context: secret }) => askInTurn(hash, secret),
    ignoreFetchAbort: true,
  });
  return async (secret) => {
    if (!isHeaderValue(secret) || isOwnSecret(secret)) return null;
    const found = await answers.fetch(hashSecret(secret), { context: secret });
    if (!found || ('refusal' in found && found.refusal === 'unknown')) return null;
    if ('caller' in found) return found.caller;
    throw new GatewayError(
      'PermissionError',
      'This API token is not for the admin API. Use a personal access token or that of an administrator or a service account.',
    );
  };
}

async function ask(url: string, secret: string): Promise<Answer> {
  try {
    const response = await fetch(`${url}${WHO_AM_I}`, {
      headers: { authorization: secret, accept: 'application/json' },
      // A secret is not sent to where it was not meant for.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 200 && !isJson(response)) throw new Error(`${describe(url, response)}, which is no user.`);
    if (response.status === 200) return { caller: { id: hashSecret(secret), ...toCaller(answer.parse(await response.json())) } };
    await response.body?.cancel();
    if (response.status === 401) return { refusal: 'unknown' };
    if (response.status === 403) return { refusal: 'other kind' };
    throw new Error(`${describe(url, response)}.`);
  } catch (cause) {
    throw unavailable(cause);
  }
}

/**
 * What is wrong with the server's URL, as far as a request without a token can tell; null if nothing is. It may also be away for a while.
 */
export async function findUnleashProblem(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}${WHO_AM_I}`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status === 401 && isJson(response) ? null : describe(url, response);
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error;
    return `${url} does not answer: ${message}`;
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true;
}

function describe(url: string, { status, headers }: Response): string {
  return `${url} answered ${status} ${headers.get('content-type') ?? 'without a type'} to GET ${WHO_AM_I}`;
}

function unavailable(cause: unknown): GatewayError {
  const message = 'The server that knows the API tokens cannot be asked now. Try again in a few seconds.';
  return new GatewayError('ServiceUnavailableError', message, { cause });
}

/**
 * Who may administer that server may invite here; whoever else it lets in may read. Such a person does not see what belongs to no project, as
 * on that server.
 */
function toCaller({ user, permissions }: z.infer<typeof answer>): Omit<Caller, 'id'> {
  const isAdmin = permissions.some(({ permission }) => permission === 'ADMIN');
  const email = user.email || null;
  const limited = user.projects?.includes('*') === false ? user.projects : null;
  return {
    name: user.username || email || user.name || 'unknown',
    email,
    userId: user.id ?? user.internalAdminTokenUserId ?? null,
    role: isAdmin ? 'ADMIN' : 'VIEWER',
    projects: limited ?? (isAdmin ? 'all' : 'any project'),
  };
}
