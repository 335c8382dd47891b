import { hash } from 'node:crypto';
import { MAX_INT } from '../formats/integer.js';

/**
 * A place in the order of the feed: after the event `id`, and after the late event at `late`. feed-end.ts explains late events.
 *
 * A mark identifies the event at a place. It shows whether the log is still the one that the position was read from.
 */
export interface FeedPosition {
  /** The id; null for the place before all events. */
  readonly id: number | null;
  /** The mark of the event `id`; empty if the log had no such event. */
  readonly idMark: string;
  /** The position of the last late event; 0 without one. */
  readonly late: number;
  readonly lateMark: string;
}

export const BEGINNING: FeedPosition = { id: null, idMark: '', late: 0, lateMark: '' };

/** The number of characters of a mark. In base64url, they are 48 bits. */
const MARK_LENGTH = 8;

/** Returns the mark of an event or a late event from its time, which PostgreSQL keeps to the microsecond. */
export function toMark(time: string): string {
  return hash('sha256', time, 'base64url').slice(0, MARK_LENGTH);
}

/** The version of the encoding of cursors. */
const FORM = '1';

/** Encodes a position as a cursor, which is opaque to clients. */
export function toFeedCursor({ id, idMark, late, lateMark }: FeedPosition): string {
  return Buffer.from([FORM, id ?? '', idMark, late, lateMark].join()).toString('base64url');
}

const POSITION = /^1,(-?\d{1,10})?,([\w-]{8})?,(\d{1,15}),([\w-]{8})?$/;
const BASE64URL = /^[\w-]+$/;

/** Returns the position of a cursor; null for a text that is not a cursor of the feed. */
export function parseFeedCursor(cursor: string): FeedPosition | null {
  if (!BASE64URL.test(cursor)) return null;
  const match = POSITION.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) return null;
  const [, digits, idMark = '', late, lateMark = ''] = match;
  const id = digits === undefined ? null : Number(digits);
  return id !== null && Math.abs(id) > MAX_INT ? null : { id, idMark, late: Number(late), lateMark };
}
