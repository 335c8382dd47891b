import { type ErrorLog, GatewayError } from '../errors.js';
import type { FeedFormat, TextPage } from './feed-format.js';

interface StreamOptions {
  readonly first: IteratorResult<TextPage>;
  readonly format: FeedFormat;
}

/** Yields the text of pages. The next page is read when the next text is requested. */
export async function* streamFeed(
  pages: AsyncGenerator<TextPage>,
  { first, format }: StreamOptions,
  log: ErrorLog,
): AsyncGenerator<string, void> {
  let head = format.head;
  try {
    for (let next = first; !next.done; next = await pages.next()) {
      yield head + format.write(next.value);
      head = '';
    }
  } catch (error) {
    if (error instanceof GatewayError) error.logTo(log);
    if (!(error instanceof GatewayError) || !format.writeError) throw error;
    yield format.writeError(error);
  } finally {
    await pages.return(undefined);
  }
}
