import { createParser } from 'eventsource-parser';
import { sendRequest, type Token } from '../api/gateway-client.js';
import { GatewayFailure } from '../api/gateway-failure.js';

export interface FeedRequest {
  /** The filter as parameters of the feed. */
  readonly parameters: URLSearchParams;
  /** The cursor to continue after; null for events from now on. */
  readonly cursor: string | null;
  readonly token: Token;
  readonly signal: AbortSignal;
}

export interface FeedListener {
  readonly onEvent: (id: number) => void;
  readonly onProgress: (upToDate: boolean) => void;
  /** Called with each new cursor. If the stream breaks, another stream can continue after the last cursor. */
  readonly onCursor: (cursor: string) => void;
}

/**
 * Reads server-sent events until the stream ends. `EventSource` cannot send the token, so this reads the response of `fetch`.
 * @throws GatewayFailure if the stream cannot be opened, or if the gateway sends an error. Other errors if the connection breaks
 */
export async function readFeed({ parameters, cursor, token, signal }: FeedRequest, listener: FeedListener): Promise<void> {
  const wanted = new URLSearchParams(parameters);
  wanted.set('after', cursor ?? 'now');
  const response = await sendRequest(`v1/events/feed?${wanted}`, token, { headers: { accept: 'text/event-stream' }, signal });
  if (!response.ok || !response.body) throw toFeedFailure(await response.json().catch(() => ({})), response.status, response);
  let failure: GatewayFailure | null = null;
  const parser = createParser({
    onEvent({ event, id, data }) {
      const body = JSON.parse(data) as FeedBody;
      if (id !== undefined && event !== 'error') listener.onCursor(id);
      if (event === 'error') failure = toFeedFailure(body, 0, response);
      else if (event === 'progress') listener.onProgress(body.upToDate === true);
      else if (body.id !== undefined) listener.onEvent(Number(body.id));
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let chunk = await reader.read(); !chunk.done && failure === null; chunk = await reader.read()) parser.feed(chunk.value);
  await reader.cancel().catch(() => undefined);
  if (failure !== null) throw failure;
}

/** The data of a server-sent event: an event of the log, a report of progress, or an error. */
interface FeedBody {
  readonly id?: number | string;
  readonly upToDate?: boolean;
  readonly name?: string;
  readonly message?: string;
}

function toFeedFailure({ name, message, id }: FeedBody, status: number, { headers }: Response): GatewayFailure {
  return new GatewayFailure(message ?? `The response has status ${status}.`, {
    status,
    ...(name !== undefined && { name }),
    logId: typeof id === 'string' ? id : null,
    retryAfter: headers.get('retry-after'),
  });
}
