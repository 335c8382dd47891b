import { GatewayError } from '../errors.js';
import type { StreamedPage } from '../event-feed/stream-pages.js';
import { JsonList, toOneLine } from '../formats/json-text.js';
import { parseAccept } from '../http/accept.js';

/** A page of the feed, with lists as JSON text. */
export interface TextPage extends StreamedPage {
  readonly events: JsonList;
  readonly cursors: JsonList;
}

export const toEmptyPage = (progress: Pick<TextPage, 'cursor' | 'upToDate'>): TextPage => ({
  events: new JsonList([]),
  cursors: new JsonList([]),
  ...progress,
});

/** The format of the pages in a stream. */
export interface FeedFormat {
  readonly name: 'NDJSON' | 'SSE';
  readonly contentType: string;
  /** The text before the first page. */
  readonly head: string;
  write(page: TextPage): string;
  /** Writes an error that ends the stream; null if the format has no place for errors. */
  readonly writeError: ((error: GatewayError) => string) | null;
}

const JSON_TYPE = 'application/json';
const NDJSON_TYPE = 'application/x-ndjson';
const SSE_TYPE = 'text/event-stream';

/** The media types of the feed's responses, the preferred one first. */
export const FEED_TYPES = [JSON_TYPE, NDJSON_TYPE, SSE_TYPE] as const;

/** Newline-delimited JSON: a line for each event, and after each page a line with the cursor at its end. */
const NDJSON: FeedFormat = {
  name: 'NDJSON',
  contentType: `${NDJSON_TYPE}; charset=utf-8`,
  head: '',
  write: ({ events, cursors, cursor, upToDate }) =>
    `${zip(events, cursors, (event, after) => `{"cursor":${after},"event":${event}}\n`)}${JSON.stringify({ cursor, upToDate })}\n`,
  writeError: null,
};

/** The time after which a browser connects again when the stream has ended. */
const RETRY_MS = 3_000;

/** Server-sent events. Browsers and many clients reconnect to them by themselves. The id of each event is the cursor after it. */
const SSE: FeedFormat = {
  name: 'SSE',
  contentType: `${SSE_TYPE}; charset=utf-8`,
  head: `retry: ${RETRY_MS}\n\n`,
  write: ({ events, cursors, cursor, upToDate }) =>
    `${zip(events, cursors, (event, after) => `id: ${after.slice(1, -1)}\ndata: ${event}\n\n`)}id: ${cursor}\nevent: progress\ndata: ${JSON.stringify({ upToDate })}\n\n`,
  writeError: (error) => `event: error\ndata: ${JSON.stringify(error.toBody())}\n\n`,
};

function zip(events: JsonList, cursors: JsonList, write: (event: string, cursor: string) => string): string {
  const after = cursors.toItems();
  return events
    .toItems()
    .map((event, index) => write(toOneLine(event), after[index] ?? ''))
    .join('');
}

const FORMATS = { [JSON_TYPE]: null, [NDJSON_TYPE]: NDJSON, [SSE_TYPE]: SSE } as const;

/**
 * Chooses the format of the response by the header `accept`: the first of the types with the highest quality.
 * @returns null for a page of JSON
 * @throws GatewayError NotAcceptableError if the client accepts none of the formats
 */
export function chooseFeedFormat(accept: string | undefined): FeedFormat | null {
  const ranges = parseAccept(accept);
  const excluded = new Set(ranges.filter(({ quality }) => quality === 0).map(({ range }) => range));
  const found = ranges
    .filter(({ quality }) => quality > 0)
    .flatMap(({ range }) => FEED_TYPES.filter((type) => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`))
    .find((type) => !excluded.has(type));
  if (found) return FORMATS[found];
  throw new GatewayError(
    'NotAcceptableError',
    `The feed has the formats ${FEED_TYPES.join(', ')}. The header accept must allow one of them.`,
  );
}
