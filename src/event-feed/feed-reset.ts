import { GatewayError } from '../errors.js';
import type { EventReads } from '../events/event.store.js';
import type { FeedEnd } from './feed-end.js';
import { BEGINNING, toFeedCursor } from './feed-position.js';

/** Returns the error for a cursor whose event is not in the log. The error contains the cursors for a new start. */
export async function resetError(reads: EventReads, { id, late }: FeedEnd): Promise<GatewayError> {
  const { end } = await reads.readSurroundings(BEGINNING, { id: id ?? 0, late });
  return new GatewayError(
    'FeedResetError',
    'The log does not have the event of this cursor: it was removed, or the log was restored or replaced. Events may be missing. Start again after `oldest` for all events, or after `newest` for those to come.',
    { cursors: { oldest: toFeedCursor(BEGINNING), newest: toFeedCursor(end) } },
  );
}
