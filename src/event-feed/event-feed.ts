import type { Problems } from '../errors.js';
import type { Event } from '../events/event.js';
import { LIMIT_RULE, MAX_LIMIT } from '../events/event-page.js';

export interface EventFeedPage {
  readonly events: readonly Event[];
  /** The cursor after each event. */
  readonly cursors: readonly string[];
  /** The cursor after the page. */
  readonly cursor: string;
  /** Whether the page reaches the end of the log. */
  readonly upToDate: boolean;
}

/** The default number of events on a page that is requested alone, and on a page of a stream. */
export const FEED_PAGE = 500;
export const FEED_BATCH = 100;

/** Adds to `problems` if the size of a page is out of range. */
export function checkFeedSize(name: string, size: number, problems: Problems): void {
  if (!(size >= 1 && size <= MAX_LIMIT)) problems.add(name, LIMIT_RULE);
}
