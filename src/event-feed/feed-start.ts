import type { Problems } from '../errors.js';
import { parseDateTime } from '../formats/date-time.js';
import { BEGINNING, type FeedPosition, parseFeedCursor } from './feed-position.js';

/** Where a client begins to read: after a position, at the end of the log, or before the first event since an instant. */
export type FeedStart =
  | { readonly kind: 'position'; readonly position: FeedPosition }
  | { readonly kind: 'now' }
  | { readonly kind: 'instant'; readonly since: string };

const FEED_START_RULE =
  'must be a cursor that the feed returned, start, now, or an RFC 3339 date-time with a zone, such as 2026-12-31T23:59:59Z';

/** Parses `after`, and adds to `problems` what is wrong with it. */
export function parseFeedStart(after: string, problems: Problems): FeedStart {
  if (after === 'now') return { kind: 'now' };
  if (after === 'start') return { kind: 'position', position: BEGINNING };
  const instant = parseDateTime(after);
  if (instant) return { kind: 'instant', since: instant.toISOString() };
  const position = parseFeedCursor(after);
  if (!position) problems.add('after', FEED_START_RULE);
  return { kind: 'position', position: position ?? BEGINNING };
}
