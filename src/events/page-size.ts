import { ReadTooLargeError } from '../database/read.js';
import { GatewayError } from '../errors.js';

/** The size of a page, in characters of its values, after which it ends early. A response needs several times as much memory. */
export const PAGE_CHARACTERS = 12 * 1024 * 1024;

/** A page, and the number of events that it was read with. */
interface FittingPage<Page> {
  readonly page: Page;
  readonly size: number;
}

/**
 * Reads a page of up to `size` events, or of as many of them as one response can hold, and at least one. A client of such a page
 * continues after its last event, so that a short page loses nothing.
 */
export async function readFitting<Page>(size: number, read: (size: number) => Promise<Page>): Promise<FittingPage<Page>> {
  // Larger events can arrive between two reads, so the second page may not fit either.
  for (let most = size; ; ) {
    try {
      return { page: await read(most), size: most };
    } catch (error) {
      if (!(error instanceof ReadTooLargeError) || most <= 1) throw error;
      most = Math.min(error.fittingRows, most - 1);
    }
  }
}

/**
 * Reads a page at an offset. A short one would look like the end of the log.
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
