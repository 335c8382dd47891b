import { GatewayError } from '../errors.js';
import type { Event, EventField } from './event.js';
import type { EventWeights } from './response-size.js';

/**
 * The largest size of a page at an offset, in characters of its values. A response needs several times as much memory.
 * event-page.ts has the limit on the number of events.
 */
export const MAX_PAGE_CHARACTERS = 12 * 1024 * 1024;

/** The size after which a page with a cursor ends early, in characters. Writing its response blocks all other requests. */
const MAX_CURSOR_PAGE_CHARACTERS = 4 * 1024 * 1024;

/** The events that were read, in the order of the query. */
export interface CutEvents {
  readonly events: readonly Event[];
  /** Whether further events were left out, because one response cannot hold them. */
  readonly isCut: boolean;
}

/** The size of a page that may end early. The client continues after the last event of the page, so it misses nothing. */
export interface PageSize {
  /** How often the response has the texts of an event; null counts each text once. */
  readonly weights: EventWeights | null;
  /** `MAX_CURSOR_PAGE_CHARACTERS` by default. */
  readonly maxCharacters?: number | undefined;
}

/** The fields of the events on a page, and the size of the page. */
export interface PageSelection {
  /** All fields by default. */
  readonly fields?: readonly EventField[];
  /** The size after which the page ends early. Without a size, a page that one response cannot hold is rejected. */
  readonly size?: PageSize;
}

/** Returns the number of characters after which no further event is read for a page. */
export function toMaxCharacters(size: PageSize | undefined): number {
  return size ? (size.maxCharacters ?? MAX_CURSOR_PAGE_CHARACTERS) : MAX_PAGE_CHARACTERS;
}

/**
 * Ends a page with the event that makes the page larger than its maximum size in the response. This event is kept, so at least
 * one event remains. If the response repeats texts, the maximum is lower. The database reads each text only once, so a response
 * with many repetitions would otherwise be as cheap as a short one.
 * @throws GatewayError BadDataError without `size`, if the query has already left out events
 */
export function cutEvents(read: CutEvents, size: PageSize | undefined): CutEvents {
  if (!size) requireWhole(read);
  const weights = size?.weights;
  if (!weights) return read;
  const most = toMaxCharacters(size) / Math.max(1, weights.data, weights.preData, weights.tags);
  let characters = 0;
  const end = read.events.findIndex((event) => {
    if (characters > most) return true;
    characters += event.lengthIn(weights);
    if (weights.changes > 0) characters += weights.changes * event.comparedLength;
    return false;
  });
  return end === -1 ? read : { events: read.events.slice(0, end), isCut: true };
}

/**
 * Rejects a page at an offset if one response cannot hold the page. A shorter page would look like the end of the log.
 * @throws GatewayError BadDataError that says how many events one response can hold
 */
function requireWhole({ events, isCut }: CutEvents): void {
  if (!isCut) return;
  throw new GatewayError(
    'BadDataError',
    `The page is larger than one response can hold. Set limit to ${events.length}: the first ${events.length} events fit.`,
    { limit: 'request' },
  );
}
