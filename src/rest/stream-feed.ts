import { type ErrorLog, GatewayError } from '../errors.js';
import type { FeedFormat, TextPage } from './feed-format.js';

type Pages = Pick<AsyncGenerator<TextPage, void>, 'next' | 'return'>;

/**
 * Waits for the first page, so that its error can still decide the status of the response. Returns the pages from the first one
 * on. Keeps no page in memory after it was read.
 */
export async function startPages(pages: Pages): Promise<Pages> {
  let first: IteratorResult<TextPage, void> | null = await pages.next();
  return {
    async next() {
      const page = first ?? (await pages.next());
      first = null;
      return page;
    },
    return: (value) => pages.return(value),
  };
}

/** Yields the text of pages. The next page is read when the next text is requested. */
export async function* streamFeed(pages: Pages, format: FeedFormat, log: ErrorLog): AsyncGenerator<string, void> {
  let head = format.head;
  try {
    for (;;) {
      let next: IteratorResult<TextPage, void> | null = await pages.next();
      if (next.done) return;
      yield head + format.write(next.value);
      head = '';
      // Releases the page. A suspended generator would otherwise keep it in memory while the next page is awaited.
      next = null;
    }
  } catch (error) {
    if (error instanceof GatewayError) error.logTo(log);
    if (!(error instanceof GatewayError) || !format.writeError) throw error;
    yield format.writeError(error);
  } finally {
    await pages.return(undefined);
  }
}
