import { GatewayError } from '../errors.js';
import type { EventReads } from '../events/event.store.js';
import type { FeedEnd } from './feed-end.js';
import { BEGINNING, toFeedCursor } from './feed-position.js';
import type { PageRead } from './read-feed.js';

/**
 * Rejects the cursor of a page if the log does not have the event of the cursor.
 * @throws GatewayError FeedResetError with the cursors for a new start
 */
export async function rejectLostPosition({ hasPosition }: PageRead, reads: EventReads, { id, late }: FeedEnd): Promise<void> {
  if (hasPosition) return;
  const { end } = await reads.readSurroundings(BEGINNING, { id: id ?? 0, late });
  throw new GatewayError(
    'FeedResetError',
    'The log does not have the event of this cursor: it was removed, or the log was restored or replaced. Events may be missing. Start again after `oldest` for all events, or after `newest` for those to come.',
    { cursors: { oldest: toFeedCursor(BEGINNING), newest: toFeedCursor(end) } },
  );
}
