import { parseFeedCursor } from '../../src/event-feed/feed-position.ts';
import { Rejected, TRANSPORTS } from './transports.mjs';

/**
 * @typedef {object} Audience a token, and the events that it may see
 * @property {string} name
 * @property {string} token
 * @property {string} condition of SQL
 */

/** Codes that can be retried while a gateway or its connections are disturbed. */
const TEMPORARY = new Set([
  '503',
  '429',
  'SERVICE_UNAVAILABLE',
  'RATE_LIMITED',
  'ServiceUnavailableError',
  'TooManyRequestsError',
]);

/** Codes with which a WebSocket ends if its gateway was killed, stops or has no database. */
const TEMPORARY_CLOSES = new Set([1001, 1005, 1006, 1013]);

/** A reader leaves its connection by itself after at most this time, and resumes on another gateway. */
const LONGEST_CONNECTION_MS = 10_000;
const LONGEST_PAUSE_MS = 1_000;

/** A stream has at least a progress mark every 15 seconds. */
const SILENT_AFTER_MS = 30_000;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Follows the feed over one transport with one filter and one token, and always resumes from its last cursor. */
export class FeedReader {
  #transport;
  #filter;
  #audience;
  #urls;
  #cursor = 'start';
  #connection = 0;
  #isStopped = false;
  #stop = new AbortController();
  #last = { id: Number.NEGATIVE_INFINITY, late: 0 };
  /** How often each event was received. @type {Map<number, number>} */
  received = new Map();
  /** @type {string[]} */
  flaws = [];
  counts = { connections: 0, broken: 0, refused: 0, silent: 0 };

  /** @param {{transport: string, filter: import('./transports.mjs').Filter, audience: Audience, urls: string[], first: number}} options */
  constructor({ transport, filter, audience, urls, first }) {
    this.#transport = transport;
    this.#filter = filter;
    this.#audience = audience;
    this.#urls = urls;
    this.#connection = first;
  }

  get transport() {
    return this.#transport;
  }

  get name() {
    return `${this.#transport}, ${this.#filter.name}, ${this.#audience.name}`;
  }

  /** The condition of SQL for the events that this reader gets. */
  get condition() {
    return `(${this.#filter.condition}) AND (${this.#audience.condition})`;
  }

  async run() {
    while (!this.#isStopped) {
      this.counts.connections += 1;
      try {
        await this.#followOnce();
      } catch (error) {
        this.#note(error);
      }
      if (!this.#isStopped) await pause(Math.random() * LONGEST_PAUSE_MS);
    }
  }

  stop() {
    this.#isStopped = true;
    this.#stop.abort();
  }

  /** Reads from the next gateway until the connection ends, or leaves it in the middle of a page. */
  async #followOnce() {
    const stop = new AbortController();
    const leave = () => stop.abort();
    this.#stop.signal.addEventListener('abort', leave);
    const fallSilent = () => {
      this.counts.silent += 1;
      leave();
    };
    let silence = setTimeout(fallSilent, SILENT_AFTER_MS);
    const leavesAt = performance.now() + Math.random() * LONGEST_CONNECTION_MS;
    const url = this.#urls[this.#connection++ % this.#urls.length] ?? '';
    const reading = { url, token: this.#audience.token, filter: this.#filter, after: this.#cursor, signal: stop.signal };
    try {
      for await (const page of TRANSPORTS[this.#transport]?.(reading) ?? []) {
        clearTimeout(silence);
        silence = setTimeout(fallSilent, SILENT_AFTER_MS);
        const isLast = performance.now() >= leavesAt;
        this.#take(page, isLast);
        if (isLast) break;
      }
    } finally {
      clearTimeout(silence);
      this.#stop.signal.removeEventListener('abort', leave);
      stop.abort();
    }
  }

  /** @param {import('./transports.mjs').Page} page @param {boolean} isLast whether the reader leaves before the end of the page, if it can */
  #take({ events, cursors, cursor }, isLast) {
    // First come the events that were added below the position of the reader, and then those above it, in the order of their ids.
    const above = events.map(({ id }) => id).filter((id) => id > this.#last.id);
    const isInOrder = above.every(
      (id, index) => id === events.at(index - above.length)?.id && id > (above[index - 1] ?? -Infinity),
    );
    if (!isInOrder) this.flaws.push(`a page after ${JSON.stringify(this.#last)} has the ids ${events.map(({ id }) => id)}`);
    const taken = isLast && cursors.length > 0 ? 1 + Math.floor(Math.random() * cursors.length) : events.length;
    for (const { id } of events.slice(0, taken)) this.received.set(id, (this.received.get(id) ?? 0) + 1);
    for (const each of cursors.slice(0, taken)) this.#moveTo(each);
    if (taken === events.length) this.#moveTo(cursor);
  }

  /** @param {string} cursor */
  #moveTo(cursor) {
    const position = parseFeedCursor(cursor);
    if (!position) this.flaws.push(`${cursor} is not a cursor`);
    const next = { id: position?.id ?? Number.NEGATIVE_INFINITY, late: position?.late ?? 0 };
    if (next.id < this.#last.id || next.late < this.#last.late)
      this.flaws.push(`the position went back from ${JSON.stringify(this.#last)} to ${JSON.stringify(next)}`);
    this.#last = next;
    this.#cursor = cursor;
  }

  /** @param {unknown} error */
  #note(error) {
    if (this.#isStopped) return;
    const code = error instanceof Rejected ? error.code : /** @type {any} */ (error)?.code;
    if (error instanceof Rejected && !TEMPORARY.has(error.code)) this.flaws.push(error.message);
    else if (typeof code === 'number' && !TEMPORARY_CLOSES.has(code)) this.flaws.push(`the WebSocket was closed with ${code}`);
    else if (error instanceof Rejected || code === 1013) this.counts.refused += 1;
    else this.counts.broken += 1;
  }
}
