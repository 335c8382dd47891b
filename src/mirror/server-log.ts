import { setTimeout as wait } from 'node:timers/promises';
import { type EventLine, parseEventLine } from '../events/event-line.js';
import { findRawElements, findRawValues } from '../events/raw-json.js';

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

export interface ServerLogOptions {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Is told why a request is tried again, and when. */
  readonly onRetry: (reason: string, inMs: number) => void;
}

export type ServerLog = ReturnType<typeof createServerLog>;

/** The most that a server gives at once, and one before 6.0. */
const PAGE_SIZE = 1000;
const OLD_PAGE_SIZE = 100;

const TIMEOUT_MS = 60_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
/** With the longest pause between them, some twenty minutes. */
const MAX_RETRIES = 45;

/** Reads the event log of a server over its REST API, as an administrator sees it. */
export function createServerLog({ url, token, signal, onRetry }: ServerLogOptions) {
  let searches: boolean | null = null;

  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    for (let retries = 0; ; retries += 1) {
      const answer = await fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: token, accept: 'application/json', 'content-type': 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: Error) => error);
      signal.throwIfAborted();
      if (answer instanceof Response && (answer.ok || answer.status === 404)) return answer;
      const reason = answer instanceof Response ? `it answered ${answer.status}` : reasonOf(answer);
      if (answer instanceof Response && !isPassing(answer.status)) throw refusal(url, answer.status);
      if (retries === MAX_RETRIES) throw new MirrorError(`${url} cannot be read: ${reason}, ${retries} times.`);
      const inMs = retryAfter(answer) ?? Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** retries) * (0.5 + Math.random() / 2);
      onRetry(reason, inMs);
      await wait(inMs, undefined, { signal });
    }
  };

  /** Servers before 6.0 have another path, which knows no days. */
  const findSearch = async (): Promise<boolean> => {
    const { status, body } = await request('/api/admin/search/events?limit=1');
    await body?.cancel();
    return status !== 404;
  };

  const search = ({ from, to }: Days, offset: number): Promise<Response> => {
    const parameters = new URLSearchParams({
      from: `IS:${from}`,
      to: `IS:${to}`,
      offset: String(offset),
      limit: String(PAGE_SIZE),
    });
    return request(`/api/admin/search/events?${parameters}`);
  };

  const searchOld = (offset: number): Promise<Response> =>
    request('/api/admin/events/search', { method: 'POST', body: JSON.stringify({ offset, limit: OLD_PAGE_SIZE }) });

  return {
    /** Whether the server can tell the events of some days from the others. */
    async knowsDays(): Promise<boolean> {
      searches ??= await findSearch();
      return searches;
    },

    /** A page of the events of those days; of the whole log where the server knows no days. */
    async readPage(days: Days, offset: number): Promise<LogPage> {
      const isNew = await this.knowsDays();
      const response = isNew ? await search(days, offset) : await searchOld(offset);
      if (response.status === 404) throw refusal(url, 404);
      return { ...parsePage(await response.text()), size: isNew ? PAGE_SIZE : OLD_PAGE_SIZE };
    },

    /** The day of the oldest event; null for an empty log. Where the server knows no days, any is as good. */
    async findFirstDay(): Promise<string | null> {
      if (!(await this.knowsDays())) return '1970-01-01';
      const { total } = parsePage(await (await request('/api/admin/search/events?limit=1')).text());
      if (total === 0) return null;
      const { events } = parsePage(await (await request(`/api/admin/search/events?limit=1&offset=${total - 1}`)).text());
      return events[0]?.createdAt.slice(0, 10) ?? null;
    },
  };
}

/** Worth another try: too many requests, or the server is not well. */
function isPassing(status: number): boolean {
  return status === 429 || status === 408 || status >= 500;
}

function retryAfter(answer: Response | Error): number | null {
  const seconds = answer instanceof Response ? Number(answer.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, 10 * LONGEST_RETRY_MS) : null;
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

function refusal(url: string, status: number): MirrorError {
  if (status === 401 || status === 403)
    return new MirrorError(`${url} refuses the token (${status}). It must be that of an administrator.`);
  return new MirrorError(`${url} answered ${status}. Is it a server of this API?`);
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
  if ('problem' in event)
    throw new MirrorError(`An event of the server cannot be copied: it ${event.problem}. ${element.slice(0, 200)}`);
  return event;
}
