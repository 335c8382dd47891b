import { openFeed } from '../../test/support/read-feed.ts';
import { CLIENTS } from '../../test/support/subscribe.ts';

/**
 * @typedef {object} Page what a reader receives at once
 * @property {{id: number}[]} events
 * @property {string[]} cursors the cursor after each event
 * @property {string} cursor
 * @property {boolean} upToDate
 *
 * @typedef {object} Filter the same filter as parameters of REST, as an input of GraphQL, and as a condition of SQL
 * @property {string} name
 * @property {Record<string, string>} parameters
 * @property {object} input
 * @property {string} condition
 *
 * @typedef {{url: string, token: string, filter: Filter, after: string, signal: AbortSignal}} Reading
 * @typedef {(reading: Reading) => AsyncGenerator<Page>} Transport
 */

/** A response that is neither a page nor a stream. */
export class Rejected extends Error {
  /** @param {string} code a status of HTTP, a code of GraphQL or the name of an error @param {string} [text] */
  constructor(code, text = '') {
    super(`${code} ${text}`.trim());
    this.code = code;
  }
}

/** Pages are small, so that a reader needs many of them. */
const PAGE_SIZE = 40;
const POLL_EVERY_MS = 250;
const LONG_POLL_SECONDS = 5;

const QUERY = `query Page($after: String!, $filter: EventFilter) {
  eventFeed(after: $after, filter: $filter, first: ${PAGE_SIZE}) { events { id } cursors cursor upToDate }
}`;
const SUBSCRIPTION = `subscription Feed($after: String!, $filter: EventFilter) {
  eventFeed(after: $after, filter: $filter, batch: ${PAGE_SIZE}) { events { id } cursors cursor upToDate }
}`;

/** @type {(response: Response) => Promise<any>} */
async function readBody(response) {
  const text = await response.text();
  if (!response.ok) throw new Rejected(String(response.status), text.slice(0, 300));
  return JSON.parse(text);
}

/**
 * Follows pages one after another.
 * @type {(read: (after: string) => Promise<Page>, reading: Reading) => AsyncGenerator<Page>}
 */
async function* streamPages(read, { after, signal }) {
  for (let cursor = after; !signal.aborted; ) {
    const page = await read(cursor);
    yield page;
    cursor = page.cursor;
    if (page.events.length === 0) await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

/** A page of REST has only one cursor, which serves as that of its last event. @type {(wait: number) => Transport} */
const pages = (wait) => (reading) =>
  streamPages(async (after) => {
    const { url, token, filter, signal } = reading;
    const parameters = new URLSearchParams({ ...filter.parameters, after, limit: String(PAGE_SIZE), wait: String(wait) });
    const response = await fetch(`${url}/v1/events/feed?${parameters}`, { headers: { authorization: token }, signal });
    const { events, next, upToDate } = await readBody(response);
    return { events, cursors: [], cursor: next, upToDate };
  }, reading);

/** @type {Transport} */
const queries = (reading) =>
  streamPages(async (after) => {
    const { url, token, filter, signal } = reading;
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUERY, variables: { after, filter: filter.input } }),
      signal,
    });
    const { data, errors } = await readBody(response);
    if (errors) throw ofGraphql(errors);
    return data.eventFeed;
  }, reading);

/** @type {(errors: readonly {message: string, extensions?: any}[]) => Rejected} */
const ofGraphql = ([error]) => new Rejected(String(error?.extensions?.code), error?.message);

/** @type {(format: 'sse' | 'ndjson') => Transport} */
const streams = (format) =>
  async function* ({ url, token, filter, after, signal }) {
    const parameters = String(new URLSearchParams({ ...filter.parameters, after }));
    const { response, messages } = await openFeed(url, parameters, { token, format, signal });
    if (!response.ok) throw new Rejected(String(response.status), (await response.text()).slice(0, 300));
    for await (const { cursor = '', event, upToDate = false, error } of messages) {
      if (error) throw new Rejected(error.name);
      yield { events: event ? [event] : [], cursors: event ? [cursor] : [], cursor, upToDate };
    }
  };

/** @type {(client: string) => Transport} */
const subscriptions = (client) =>
  async function* ({ url, token, filter, after, signal }) {
    const request = { query: SUBSCRIPTION, variables: { after, filter: filter.input } };
    const { next, close } = /** @type {import('../../test/support/subscribe.ts').Subscribe} */ (CLIENTS[client])(
      url,
      token,
      request,
    );
    /** @type {() => void} */
    let stop = () => undefined;
    const stopped = new Promise((resolve) => {
      stop = () => resolve(undefined);
    });
    signal.addEventListener('abort', stop);
    try {
      for (;;) {
        const result = await Promise.race([next(), stopped]);
        if (!result) return;
        if (result.errors) throw ofGraphql(result.errors);
        yield result.data.eventFeed;
      }
    } catch (error) {
      // graphql-sse reports the errors of a subscription as a list.
      throw Array.isArray(error) ? ofGraphql(error) : error;
    } finally {
      signal.removeEventListener('abort', stop);
      close();
    }
  };

/** @type {Record<string, Transport>} */
export const TRANSPORTS = {
  page: pages(0),
  'long poll': pages(LONG_POLL_SECONDS),
  NDJSON: streams('ndjson'),
  SSE: streams('sse'),
  'Query.eventFeed': queries,
  'Subscription, SSE': subscriptions('graphql-sse'),
  'Subscription, WebSocket': subscriptions('graphql-ws'),
  'Subscription, multipart': subscriptions('Apollo Client over multipart responses'),
};
