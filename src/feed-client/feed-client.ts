import { OperatorError } from '../errors.js';
import { cutText } from '../formats/text.js';
import { CURSOR } from './cursor-file.js';
import { readLimitedBody } from './limited-body.js';
import { readLines } from './read-lines.js';

/** Says why the feed cannot be followed any further. */
export class FeedError extends OperatorError {}

export interface FeedClientOptions {
  /** The URL of the gateway, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** The filters, as parameters of the feed. */
  readonly filter: URLSearchParams;
  /** Whether to stop after the events that are in the log at the start. */
  readonly once: boolean;
  readonly signal: AbortSignal;
}

/** Events that arrived together, in wire form, and the cursor after them. */
export interface FeedLines {
  readonly events: readonly string[];
  readonly cursor: string;
  /** Whether these events reach the end of the log. */
  readonly upToDate: boolean;
}

/** A failure after which a retry may succeed. */
export class TransientFailure extends Error {
  /** @param retryAfterMs the time that the gateway asks to wait; null if it names none */
  constructor(
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** A stream counts as broken after this silence. A gateway sends at least an empty page every 15 seconds. */
const SILENT_AFTER_MS = 45_000;

/** The longest line that is read, in UTF-16 units. Events are much shorter: an import accepts at most 16 MiB each. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024;

const MAX_ERROR_BYTES = 1024 * 1024;
const MAX_MESSAGE_LENGTH = 500;

/**
 * Reads one response of the feed of a gateway, until the gateway ends it. A gateway ends a stream after some 15 minutes.
 * @throws TransientFailure if a later request may succeed, FeedError if not
 */
export async function* readFeed(
  { url, token, filter, once, signal }: FeedClientOptions,
  after: string,
): AsyncGenerator<FeedLines> {
  const parameters = new URLSearchParams([...filter, ['after', after]]);
  if (once) parameters.append('wait', '0');
  const silence = new AbortController();
  const awaitBytes = () => setTimeout(() => silence.abort(), SILENT_AFTER_MS);
  let timer = awaitBytes();
  try {
    const response = await fetch(`${url}/v1/events/feed?${parameters}`, {
      headers: { authorization: token, accept: 'application/x-ndjson' },
      // Never follows a redirect, because the token is meant for this URL alone.
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status !== 200) throw await toFailure(url, response);
    for await (const lines of readLines(response.body ?? [], MAX_LINE_LENGTH, toNoFeed)) {
      clearTimeout(timer);
      const found = toFeedLines(lines);
      // The timer is off here, because the consumer may take any time.
      if (found) yield found;
      timer = awaitBytes();
    }
  } catch (error) {
    if (error instanceof OperatorError || error instanceof TransientFailure || signal.aborted) throw error;
    if (silence.signal.aborted) throw new TransientFailure(`it sent nothing for ${SILENT_AFTER_MS / 1000} s`);
    const { message = '' } = ((error as Error).cause ?? {}) as Partial<Error>;
    throw new TransientFailure(message || (error as Error).message);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The `s` flag lets the dot match U+2028. JSON allows this character in strings, but a regular expression treats it as a line
 * break.
 */
const EVENT = /^\{"cursor":"([\w-]+)","event":(.*)\}$/s;
const PROGRESS = /^\{"cursor":"([\w-]+)","upToDate":(true|false)\}$/;

/** Splits lines into cursors and events. Keeps the events as they are, except control characters. Returns null without lines. */
function toFeedLines(lines: readonly string[]): FeedLines | null {
  const events: string[] = [];
  let cursor: string | undefined;
  let upToDate = false;
  for (const line of lines) {
    const [, afterEvent, event] = EVENT.exec(line) ?? [];
    const [, afterPage, state] = PROGRESS.exec(line) ?? [];
    cursor = afterEvent ?? afterPage;
    if (cursor === undefined) throw toNoFeed();
    if (event !== undefined) events.push(escapeControls(event));
    upToDate = state === 'true';
  }
  return cursor === undefined ? null : { events, cursor, upToDate };
}

const toNoFeed = () => new FeedError('The response is not a feed of events. Is --from the URL of a gateway?');

/**
 * Escapes the control characters that JSON allows in strings, because a terminal may obey them. Replaces a tab, which JSON allows
 * only between two tokens.
 * @throws FeedError for any other control character below U+0020, which JSON does not allow in strings
 */
function escapeControls(event: string): string {
  return event.replaceAll(/\p{Cc}/gu, (character) => {
    if (character === '\t') return ' ';
    if (character < ' ') throw toNoFeed();
    return `\\u00${character.charCodeAt(0).toString(16)}`;
  });
}

async function toFailure(url: string, response: Response): Promise<Error> {
  const { status, headers } = response;
  const { message, oldest, newest } = readError(await readLimitedBody(response, MAX_ERROR_BYTES).catch(() => null));
  const reason =
    message === null ? `it responded with ${status}` : cutText(message, MAX_MESSAGE_LENGTH).replaceAll(/\p{Cc}/gu, ' ');
  if (status === 429 || status === 408 || status >= 500) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    return new TransientFailure(reason, seconds >= 0 ? seconds * 1000 : null);
  }
  if (status === 410)
    return new FeedError(
      `The cursor does not belong to the log of ${url} any more: the log was restored or replaced, or events were removed. ` +
        `Events may be missing. Remove the file of --state to read the whole log again, or put ${describeCursors(oldest, newest)}.`,
    );
  if (status === 401) return new FeedError(`${url} does not recognize the token.`);
  if (status >= 300 && status < 400) return new FeedError(`${url} redirects (${status}). Give the URL it redirects to.`);
  return new FeedError(`${url} rejects the request (${status}): ${reason}`);
}

/** The texts in the body of an error; null for those that it does not have. */
interface ErrorBody {
  readonly message: string | null;
  /** A cursor before all events of the log. */
  readonly oldest: string | null;
  /** A cursor after all events that the log has now. */
  readonly newest: string | null;
}

function readError(body: string | null): ErrorBody {
  const { message, oldest, newest } = parseObject(body ?? '{}');
  const toCursor = (value: unknown) => (typeof value === 'string' && CURSOR.test(value) ? value : null);
  return { message: typeof message === 'string' ? message : null, oldest: toCursor(oldest), newest: toCursor(newest) };
}

function parseObject(json: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}

function describeCursors(oldest: string | null, newest: string | null): string {
  if (oldest === null || newest === null) return 'the text of another cursor into it';
  return `one of these cursors into it: ${oldest} for all events of the log, or ${newest} for those to come`;
}
