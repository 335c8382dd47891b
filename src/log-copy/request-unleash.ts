import { setTimeout as wait } from 'node:timers/promises';
import { MirrorError } from './mirror-error.js';

export interface RequestUnleashOptions {
  /** The URL of the Unleash server, without a trailing slash. */
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** The most retries of a request. By default 45, with 10 to 20 minutes of delays in all unless Unleash sends `Retry-After`. */
  readonly maxRetries?: number;
  /** Called before each retry, with its reason and delay. */
  readonly onRetry: (reason: string, inMs: number) => void;
}

const TIMEOUT_MS = 60_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
const MAX_RETRIES = 45;

export interface UnleashResponse {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Requests a path of the Unleash server. */
export type RequestUnleash = (path: string, init?: RequestInit) => Promise<UnleashResponse>;

/**
 * Creates a function that sends requests to an Unleash server and retries them while the server is unavailable or overloaded. The
 * function returns responses with status 200 and 404, and throws `MirrorError` for any other. unleash-log.ts chooses the paths.
 */
export function createRequestUnleash({
  url,
  token,
  signal,
  maxRetries = MAX_RETRIES,
  onRetry,
}: RequestUnleashOptions): RequestUnleash {
  const fetchOnce = async (path: string, init: RequestInit): Promise<UnleashResponse> => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: token, accept: 'application/json', 'content-type': 'application/json' },
      // Never follows a redirect, because the token is meant for this URL alone.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
  };

  return async (path, init = {}) => {
    for (let retries = 0; ; retries += 1) {
      const [response, failure] = await fetchOnce(path, init).then(
        (result) => [result, null] as const,
        (error: Error) => [null, error] as const,
      );
      signal.throwIfAborted();
      if (response?.status === 200 || response?.status === 404) return response;
      if (response && !isTransient(response.status)) throw toMirrorError(url, response.status);
      const reason = response ? `it responded with ${response.status}` : reasonOf(failure);
      if (retries >= maxRetries) throw new MirrorError(`${url} cannot be read: ${reason}, ${retries + 1} times.`);
      const backOff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** retries) * (0.5 + Math.random() / 2);
      const inMs = Math.max(backOff, (response && retryAfterOf(response)) ?? 0);
      onRetry(reason, inMs);
      await wait(inMs, undefined, { signal });
    }
  };
}

/** Whether a retry may help: after too many requests, a timeout or an error of the server. */
function isTransient(status: number): boolean {
  return status === 429 || status === 408 || status >= 500;
}

/** Returns the delay in milliseconds that the server asks for, as seconds or as a date; null if it names none. */
function retryAfterOf({ retryAfter }: UnleashResponse): number | null {
  const text = retryAfter ?? '';
  const inMs = / GMT$/.test(text) ? Date.parse(text) - Date.now() : /^\d+$/.test(text) ? Number(text) * 1000 : Number.NaN;
  return Number.isNaN(inMs) ? null : Math.min(inMs, 10 * LONGEST_RETRY_MS);
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `it did not respond within ${TIMEOUT_MS / 1000} s`;
  const { message = '' } = (error.cause ?? {}) as Partial<Error>;
  return message === '' ? error.message : message;
}

export function toMirrorError(url: string, status: number): MirrorError {
  if (status === 401) return new MirrorError(`${url} does not recognize the token.`);
  if (status === 403)
    return new MirrorError(`The token does not belong to an administrator of ${url}: others see only a part of the log.`);
  if (status >= 300 && status < 400) return new MirrorError(`${url} redirects (${status}). Give the URL it redirects to.`);
  return new MirrorError(`${url} responded with ${status}. Is it an Unleash server?`);
}
