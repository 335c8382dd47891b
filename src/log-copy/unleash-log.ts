import { setTimeout as wait } from 'node:timers/promises';
import { parsePage, type UnleashPage } from './unleash-page.js';

/** Says why the log of an Unleash server cannot be copied. */
export class MirrorError extends Error {}

/** A range of days in the time zone of the Unleash server, both days included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface LogPage extends UnleashPage {
  /** The number of events on each page but the last. */
  readonly size: number;
}

export interface UnleashLogOptions {
  /** The URL of the Unleash server, without a trailing slash. */
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** How often a request is retried; the default lasts for some twenty minutes. */
  readonly maxRetries?: number;
  /** Called before each retry, with its reason and delay. */
  readonly onRetry: (reason: string, inMs: number) => void;
}

export type UnleashLog = ReturnType<typeof createUnleashLog>;

/** The largest page of Unleash, and that of versions before 6.0. */
const PAGE_SIZE = 1000;
const OLD_PAGE_SIZE = 100;

const TIMEOUT_MS = 60_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
const MAX_RETRIES = 45;

const SEARCH = '/api/admin/search/events';

interface UnleashResponse {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Reads the event log of an Unleash server over its REST API, with an administrator's token. */
export function createUnleashLog({ url, token, signal, maxRetries = MAX_RETRIES, onRetry }: UnleashLogOptions) {
  let hasDays: boolean | null = null;

  const fetchOnce = async (path: string, init: RequestInit): Promise<UnleashResponse> => {
    const request = new AbortController();
    const abort = () => request.abort();
    const timeout = setTimeout(abort, TIMEOUT_MS);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: token, accept: 'application/json', 'content-type': 'application/json' },
        // Never follows a redirect, because the token is meant for this URL alone.
        redirect: 'manual',
        signal: request.signal,
      });
      return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
    } finally {
      clearTimeout(timeout);
      signal.removeEventListener('abort', abort);
    }
  };

  const request = async (path: string, init: RequestInit = {}): Promise<UnleashResponse> => {
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
      const inMs = (response && retryAfterOf(response)) || backOff;
      onRetry(reason, inMs);
      await wait(inMs, undefined, { signal });
    }
  };

  const requestPage = async (path: string, init?: RequestInit): Promise<UnleashPage> => {
    const { status, text } = await request(path, init);
    if (status === 404) throw toMirrorError(url, 404);
    const page = parsePage(text);
    if ('problem' in page) throw new MirrorError(page.problem);
    return page;
  };

  const search = (parameters: Record<string, string>) => requestPage(`${SEARCH}?${new URLSearchParams(parameters)}`);

  const searchOld = (offset: number, limit: number) =>
    requestPage('/api/admin/events/search', { method: 'POST', body: JSON.stringify({ offset, limit }) });

  return {
    /** @throws MirrorError unless the token is an administrator's: others get a part of the log that looks complete */
    async requireAdministrator(): Promise<void> {
      const { status, text } = await request('/api/admin/user');
      const permissions = status === 200 ? readPermissions(text) : null;
      if (permissions === null)
        throw new MirrorError(`${url} responded with ${status} to GET /api/admin/user, and no user. Is it an Unleash server?`);
      if (!permissions.includes('ADMIN')) throw toMirrorError(url, 403);
    },

    /** Whether Unleash can search by days. Versions before 6.0 cannot, and have another path for the search. */
    async canSearchByDays(): Promise<boolean> {
      hasDays ??= (await request(`${SEARCH}?limit=1`)).status !== 404;
      return hasDays;
    },

    /** Reads a page of the events of these days, or of the whole log if Unleash cannot search by days. */
    async readPage({ from, to }: Days, offset: number): Promise<LogPage> {
      if (!(await this.canSearchByDays())) return { ...(await searchOld(offset, OLD_PAGE_SIZE)), size: OLD_PAGE_SIZE };
      const days = { from: `IS:${from}`, to: `IS:${to}` };
      return { ...(await search({ ...days, offset: String(offset), limit: String(PAGE_SIZE) })), size: PAGE_SIZE };
    },

    /** Counts the events of the whole log. */
    async countAll(): Promise<number> {
      return ((await this.canSearchByDays()) ? await search({ limit: '1' }) : await searchOld(0, 1)).total;
    },

    /** Finds the day of the oldest event; null for an empty log. Only for versions that can search by days. */
    async findFirstDay(): Promise<string | null> {
      const { total } = await search({ limit: '1' });
      // Events added since then have moved the oldest event to a higher offset, by less than a page.
      const { events } = await search({ limit: String(PAGE_SIZE), offset: String(Math.max(0, total - 1)) });
      return events.at(-1)?.createdAt.slice(0, 10) ?? null;
    },
  };
}

/** Whether a retry may help: after too many requests, a timeout or an error of the server. */
function isTransient(status: number): boolean {
  return status === 429 || status === 408 || status >= 500;
}

function retryAfterOf({ retryAfter }: UnleashResponse): number | null {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.max(1, Math.min(seconds * 1000, 10 * LONGEST_RETRY_MS)) : null;
}

function reasonOf(error: Error): string {
  if (error.name === 'AbortError') return `it did not respond within ${TIMEOUT_MS / 1000} s`;
  const { message = '' } = (error.cause ?? {}) as Partial<Error>;
  return message === '' ? error.message : message;
}

function toMirrorError(url: string, status: number): MirrorError {
  if (status === 401) return new MirrorError(`${url} does not recognize the token.`);
  if (status === 403)
    return new MirrorError(`The token does not belong to an administrator of ${url}: others see only a part of the log.`);
  if (status >= 300 && status < 400) return new MirrorError(`${url} redirects (${status}). Give the URL it redirects to.`);
  return new MirrorError(`${url} responded with ${status}. Is it an Unleash server?`);
}

/** Reads the permissions of a user; null if the response is not a user. */
function readPermissions(text: string): unknown[] | null {
  try {
    const { permissions } = JSON.parse(text) as { permissions: readonly { permission?: unknown }[] };
    return permissions.map(({ permission }) => permission);
  } catch {
    return null;
  }
}
