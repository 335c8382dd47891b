import { createParser } from 'eventsource-parser';

/** A message of a stream of the feed: an event, progress, or an error. */
export interface FeedMessage {
  readonly cursor?: string | undefined;
  readonly event?: { readonly id: number };
  readonly upToDate?: boolean;
  readonly error?: { readonly name: string };
}

export type FeedFormat = 'sse' | 'ndjson';

const TYPES = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' };

export interface FeedReading {
  readonly token: string;
  readonly format: FeedFormat;
  readonly signal?: AbortSignal;
  readonly headers?: Record<string, string>;
}

/** Reads a stream of the feed over HTTP. */
export async function openFeed(url: string, parameters: string, { token, format, signal, headers }: FeedReading) {
  const response = await fetch(`${url}/v1/events/feed?${parameters}`, {
    headers: { authorization: token, accept: TYPES[format], ...headers },
    ...(signal && { signal }),
  });
  return { response, messages: format === 'sse' ? readSse(response) : readNdjson(response) };
}

async function* readText({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) yield decoder.decode(bytes as Uint8Array, { stream: true });
}

async function* readNdjson(response: Response): AsyncGenerator<FeedMessage> {
  let rest = '';
  for await (const text of readText(response)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

async function* readSse(response: Response): AsyncGenerator<FeedMessage> {
  let found: FeedMessage[] = [];
  const parser = createParser({
    onEvent({ id, event, data }) {
      const body = JSON.parse(data);
      if (event === undefined) found.push({ cursor: id, event: body });
      else if (event === 'progress') found.push({ cursor: id, ...body });
      else found.push({ error: body });
    },
  });
  for await (const text of readText(response)) {
    parser.feed(text);
    const messages = found;
    found = [];
    yield* messages;
  }
}
