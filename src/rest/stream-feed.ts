import type { ServerResponse } from 'node:http';
import { type ErrorLog, GatewayError } from '../errors.js';
import type { FeedFormat, TextPage } from './feed-format.js';

/** The time after which the connection of a client is reset that reads nothing. */
const STUCK_MS = 30_000;

interface StreamOptions {
  readonly first: IteratorResult<TextPage>;
  readonly format: FeedFormat;
  readonly endsWhenUpToDate: boolean;
  readonly stuckMs?: number;
}

/** Yields the text of pages. The next one is read after the client has read the one before. */
export async function* streamFeed(
  pages: AsyncGenerator<TextPage>,
  { first, format, endsWhenUpToDate, stuckMs = STUCK_MS }: StreamOptions,
  { raw, log }: { readonly raw: Pick<ServerResponse, 'socket'>; readonly log: ErrorLog },
): AsyncGenerator<string> {
  const { socket } = raw;
  // A stream without events is not idle.
  socket?.setTimeout(0);
  const reset = () => socket?.resetAndDestroy();
  let stuck: NodeJS.Timeout | undefined;
  let head = format.head;
  try {
    for (let next = first; !next.done; next = await pages.next()) {
      stuck = setTimeout(reset, stuckMs);
      yield head + format.write(next.value);
      clearTimeout(stuck);
      head = '';
      if (endsWhenUpToDate && next.value.upToDate) return;
    }
  } catch (error) {
    if (error instanceof GatewayError) error.logTo(log);
    if (!(error instanceof GatewayError) || !format.writeError) {
      reset();
      throw error;
    }
    yield format.writeError(error);
  } finally {
    clearTimeout(stuck);
    await pages.return(undefined);
  }
}
