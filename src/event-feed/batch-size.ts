import type { FeedEnd } from './feed-end.js';
import { parseFeedCursor } from './feed-position.js';

/** The intended size of a page. It limits the number of events on the next page, because an event can be megabytes long. */
const AIMED_CHARACTERS = 1024 * 1024;

/** The size after which a page of a stream ends early. A caller can leave twenty streams unread, each with a page in memory. */
export const STREAM_PAGE_CHARACTERS = 2 * AIMED_CHARACTERS;

/** The number of events on the first page. It is small, because the length of the events is not known yet. */
const FIRST_PAGE = 10;

/** Chooses the number of events on the next page of a stream, by the length of earlier events and the number that can follow. */
export function createBatchSize(most: number) {
  let size = Math.min(most, FIRST_PAGE);
  return {
    /**
     * Returns the number of events to request for the next page. If few events are left, requests one event more than are left: a
     * page with fewer events than requested has reached the end. Requesting even more would cost more.
     */
    choose: (cursor: string, end: FeedEnd | null): number => Math.min(size, countAfter(cursor, end) + 1),

    note(events: number, characters: number): void {
      if (events === 0) return;
      const fitting = Math.floor((AIMED_CHARACTERS * events) / Math.max(1, characters));
      size = Math.max(1, Math.min(most, 2 * size, fitting));
    },
  };
}

/** Returns how many events there are at most between a cursor and the end. */
function countAfter(cursor: string, end: FeedEnd | null): number {
  const position = parseFeedCursor(cursor);
  if (!end || !position || position.id === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, (end.id ?? 0) - position.id) + Math.max(0, end.late - position.late);
}
