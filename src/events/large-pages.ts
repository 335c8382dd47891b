import { ReadTooLargeError } from '../database/read.js';
import { GatewayError } from '../errors.js';
import type { GiveWay } from '../limits/fair-queue.js';

/**
 * The size of a page, in characters of its values, after which it ends early. A response needs several times as much memory.
 * event-page.ts has the limit on the number of events.
 */
export const MAX_PAGE_CHARACTERS = 12 * 1024 * 1024;

/** A page, and the limit on its number of events with which it was read. */
interface FittingPage<Page> {
  readonly page: Page;
  readonly size: number;
}

/**
 * Reads a page of up to `size` events. If one response cannot hold them, the page is read again with as many events as fit, and
 * at least one. A client of such a page continues after its last event, so a short page loses nothing.
 * @param giveWay called between two reads, since the first of them may have taken long
 */
export async function readFitting<Page>(
  size: number,
  read: (size: number) => Promise<Page>,
  giveWay: GiveWay,
): Promise<FittingPage<Page>> {
  // Larger events can arrive between two reads, so the second page may not fit either.
  for (let most = size; ; ) {
    try {
      return { page: await read(most), size: most };
    } catch (error) {
      if (!(error instanceof ReadTooLargeError) || most <= 1) throw error;
      most = Math.min(error.fittingRows, most - 1);
      await giveWay();
    }
  }
}

/**
 * Reads a page at an offset, and rejects a page that is too large. A shortened page would look like the end of the log.
 * @throws GatewayError BadDataError that says how many events one response can hold
 */
export async function readWholePage<Page>(read: () => Promise<Page>): Promise<Page> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReadTooLargeError)) throw error;
    throw new GatewayError(
      'BadDataError',
      `The page is larger than one response can hold. Its first ${error.fittingRows} events fit: request them by limit.`,
      { limit: 'request' },
    );
  }
}
