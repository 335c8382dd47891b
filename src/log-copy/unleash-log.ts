import { setTimeout as wait } from 'node:timers/promises';
import { type EventLine, parseEventLine } from './event-line.js';
import { findRawElements, findRawValues } from './raw-json.js';

/** Why a server's log cannot be copied. */
export class MirrorError extends Error {}

/** Days as the server counts them, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface LogPage {
  /** Newest first. */
  readonly events: readonly EventLine[];
  /** How many events the days have, or the whole log. */
  readonly total: number;
  /** How many events a page has that is not the last one. */
  readonly size: number;
}

export interface UnleashLogOptions {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** How often a request is tried again, by default for some twenty minutes. */
  readonly maxRetries?: number;
  /** Is told why a request is tried again, and when. */
  readonly onRetry: (reason: string, inMs: number) => void;
}

export type UnleashLog = ReturnType<typeof createUnleashLog>;

/** The most that a server gives at once, and one before 6.0. */
const PAGE_SIZE = 1000;
const OLD_PAGE_SIZE = 100;

const TIMEOUT_MS = 60_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
const MAX_RETRIES = 45;

const SEARCH = '/api/admin/search/events';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Reads the event log of a server over its REST API, as an administrator sees it. */
export function createUnleashLog({ url, token, signal, maxRetries = MAX_RETRIES, onRetry }: UnleashLogOptions) {
  let searches: boolean | null = null;

  const fetchOnce = async (path: string, init: RequestInit): Promise<Answer> => {
    const request = new AbortController();
    const abort = () => request.abort();
    const timeout = setTimeout(abort, TIMEOUT_MS);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: token, accept: 'application/json', 'content-type': 'application/json' },
        // A secret is not sent to where it was not meant for.
        redirect: 'manual',
        signal: request.signal,
      });
      return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
    } finally {
      clearTimeout(timeout);
      signal.removeEventListener('abort', abort);
    }
  };

  const request = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    for (let retries = 0; ; retries += 1) {
      const [answer, failure] = await fetchOnce(path, init).then(
        (result) => [result, null] as const,
        (error: Error) => [null, error] as const,
      );
      signal.throwIfAborted();
      if (answer?.status === 200 || answer?.status === 404) return answer;
      if (answer && !isPassing(answer.status)) throw refusal(url, answer.status);
      const reason = answer ? `it answered ${answer.status}` : reasonOf(failure);
      if (retries >= maxRetries) throw new MirrorError(`${url} cannot be read: ${reason}, ${retries + 1} times.`);
      const backOff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** retries) * (0.5 + Math.random() / 2);
      const inMs = (answer && retryAfterOf(answer)) || backOff;
      onRetry(reason, inMs);
      await wait(inMs, undefined, { signal });
    }
  };

  const search = async (parameters: Record<string, string>): Promise<Omit<LogPage, 'size'>> => {
    const { status, text } = await request(`${SEARCH}?${new URLSearchParams(parameters)}`);
    if (status === 404) throw refusal(url, 404);
    return parsePage(text);
  };

  const searchOld = async (offset: number, limit: number): Promise<Omit<LogPage, 'size'>> => {
    const { status, text } = await request('/api/admin/events/search', {
      method: 'POST',
      body: JSON.stringify({ offset, limit }),
    });
    if (status === 404) throw refusal(url, 404);
    return parsePage(text);
  };

  return {
    /** @throws MirrorError unless the token is an administrator's: others are shown a part of the log as if it were all */
    async requireAdministrator(): Promise<void> {
      const { status, text } = await request('/api/admin/user');
      const permissions = status === 200 ? readPermissions(text) : null;
      if (permissions === null)
        throw new MirrorError(`${url} answered ${status} to GET /api/admin/user, and no user. Is it a server of this API?`);
      if (!permissions.includes('ADMIN')) throw refusal(url, 403);
    },

    /** Whether the server can tell the events of some days from the others; those before 6.0 have another path, which cannot. */
    async knowsDays(): Promise<boolean> {
      searches ??= (await request(`${SEARCH}?limit=1`)).status !== 404;
      return searches;
    },

    /** A page of the events of those days; of the whole log where the server knows no days. */
    async readPage({ from, to }: Days, offset: number): Promise<LogPage> {
      if (!(await this.knowsDays())) return { ...(await searchOld(offset, OLD_PAGE_SIZE)), size: OLD_PAGE_SIZE };
      const days = { from: `IS:${from}`, to: `IS:${to}` };
      return { ...(await search({ ...days, offset: String(offset), limit: String(PAGE_SIZE) })), size: PAGE_SIZE };
    },

    /** How many events the whole log has. */
    async countAll(): Promise<number> {
      return ((await this.knowsDays()) ? await search({ limit: '1' }) : await searchOld(0, 1)).total;
    },

    /** The day of the oldest event; null for an empty log. For a server that knows days. */
    async findFirstDay(): Promise<string | null> {
      const { total } = await search({ limit: '1' });
      // What was added meanwhile has moved the oldest on, by less than a page.
      const { events } = await search({ limit: String(PAGE_SIZE), offset: String(Math.max(0, total - 1)) });
      return events.at(-1)?.createdAt.slice(0, 10) ?? null;
    },
  };
}

/** Worth another try: too many requests, or the server is not well. */
function isPassing(status: number): boolean {
  return status === 429 || status === 408 || status >= 500;
}

function retryAfterOf({ retryAfter }: Answer): number | null {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.max(1, Math.min(seconds * 1000, 10 * LONGEST_RETRY_MS)) : null;
}

function reasonOf(error: Error): string {
  if (error.name === 'AbortError') return `it did not answer in ${TIMEOUT_MS / 1000} s`;
  const { message = '' } = (error.cause ?? {}) as Partial<Error>;
  return message === '' ? error.message : message;
}

function refusal(url: string, status: number): MirrorError {
  if (status === 401) return new MirrorError(`${url} does not know the token.`);
  if (status === 403)
    return new MirrorError(`The token is that of no administrator of ${url}: others see only a part of the log.`);
  if (status >= 300 && status < 400)
    return new MirrorError(`${url} answered ${status}, which leads elsewhere. Give the URL it leads to.`);
  return new MirrorError(`${url} answered ${status}. Is it a server of this API?`);
}

/** Null where it is not what the API tells of a user. */
function readPermissions(text: string): unknown[] | null {
  try {
    const { permissions } = JSON.parse(text) as { permissions: readonly { permission?: unknown }[] };
    return permissions.map(({ permission }) => permission);
  } catch {
    return null;
  }
}

/** Events are cut out of the body as they stand: parsing and printing their payloads would change them. */
function parsePage(body: string): Omit<LogPage, 'size'> {
  const values = findRawValues(body) ?? [];
  const read = (...names: string[]) => {
    const value = values.find(({ key }) => names.includes(key));
    return value && body.slice(value.start, value.end);
  };
  const elements = findRawElements(read('events') ?? '');
  const total = Number(read('total', 'totalEvents') ?? Number.NaN);
  if (!elements || !Number.isInteger(total)) throw new MirrorError('The server answered what is no page of events.');
  return { total, events: elements.map(toEvent) };
}

function toEvent(element: string): EventLine {
  const event = parseEventLine(element);
  if (!('problem' in event)) return event;
  const id = findRawValues(element)?.find(({ key }) => key === 'id');
  throw new MirrorError(
    `Event ${id ? element.slice(id.start, id.end) : ''} of the server cannot be copied: it ${event.problem}.`,
  );
}
