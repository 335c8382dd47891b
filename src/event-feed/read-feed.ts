import type { EventCriteria, EventField } from '../events/event.js';
import type { EventReads } from '../events/event.store.js';
import { type CutEvents, cutEvents, type PageSize } from '../events/large-pages.js';
import { MAX_INT } from '../formats/integer.js';
import type { EventFeedPage } from './event-feed.js';
import type { FeedSurroundings, LateEvents } from './event-feed.store.js';
import { type FeedEnd, isAtLogEnd } from './feed-end.js';
import { BEGINNING, type FeedPosition, toFeedCursor, toMark } from './feed-position.js';
import type { FeedStart } from './feed-start.js';

export interface PageRequest {
  readonly criteria: EventCriteria;
  readonly first: number;
  readonly fields: readonly EventField[];
  /** The size after which the page ends early. */
  readonly size: PageSize;
}

/** A page, and the state of the log around the position at which the page begins. */
export interface PageRead extends Pick<FeedSurroundings, 'server' | 'published' | 'taken' | 'hasPosition'> {
  readonly page: EventFeedPage;
}

/**
 * Reads the events after a position, up to an end that was read before. First come the late events with ids at or below the id of
 * the position. All events with higher ids follow, including late ones.
 */
export async function readFeedPage(reads: EventReads, from: FeedPosition, end: FeedEnd, request: PageRequest): Promise<PageRead> {
  const { first, size } = request;
  const { lateEvents, isCut: isLateCut } = await listLate(reads, from, end, request);
  const rest = isLateCut ? 0 : first - lateEvents.length;
  const above = rest > 0 ? await listAbove(reads, from, end, { ...request, first: rest }) : { events: [], isCut: isLateCut };
  const { events, isCut } = cutEvents(
    { events: [...lateEvents.map(({ event }) => event), ...above.events], isCut: above.isCut },
    size,
  );
  const surroundings = await reads.readSurroundings(from, { id: end.id ?? 0, late: end.late });
  const isFull = isCut || events.length === first;
  const passed = passLate(from, surroundings.end);
  const positions = [
    ...lateEvents.slice(0, events.length).map(({ late, lateMark }): FeedPosition => ({ ...from, late, lateMark })),
    ...events.slice(lateEvents.length).map(({ id, createdAt }): FeedPosition => ({ ...passed, id, idMark: toMark(createdAt) })),
  ];
  const position = isFull ? (positions.at(-1) ?? from) : passIds(passed, surroundings.end);
  return {
    ...surroundings,
    page: {
      events,
      cursors: positions.map(toFeedCursor),
      cursor: toFeedCursor(position),
      upToDate: !isFull && isAtLogEnd(end),
    },
  };
}

function listLate(
  reads: EventReads,
  { id, late }: FeedPosition,
  end: FeedEnd,
  { criteria, first, ...selection }: PageRequest,
): Promise<LateEvents> {
  if (id === null || end.late <= late) return Promise.resolve({ lateEvents: [], isCut: false });
  return reads.listLate(criteria, { after: late, upTo: end.late, upToId: id }, first, selection);
}

function listAbove(
  reads: EventReads,
  { id }: FeedPosition,
  end: FeedEnd,
  { criteria, first, ...selection }: PageRequest,
): Promise<CutEvents> {
  if (end.id === null || (id !== null && end.id <= id)) return Promise.resolve({ events: [], isCut: false });
  return reads.listRange(criteria, { after: id, upTo: end.id }, first, selection);
}

/**
 * Advances the position past all late events up to the end, and never back: another gateway may have returned a position beyond
 * this end.
 */
function passLate(from: FeedPosition, { late, lateMark }: FeedPosition): FeedPosition {
  return late > from.late ? { ...from, late, lateMark } : from;
}

function passIds(from: FeedPosition, { id, idMark }: FeedPosition): FeedPosition {
  return id !== null && (from.id === null || id > from.id) ? { ...from, id, idMark } : from;
}

/**
 * Finds the position at which a client begins to read.
 * @param chargeEntries charges the caller for entries of an index that were read
 */
export async function findStart(
  reads: EventReads,
  start: FeedStart,
  end: FeedEnd,
  chargeEntries: (count: number) => Promise<void>,
): Promise<FeedPosition> {
  if (start.kind === 'position') return start.position;
  const first = start.kind === 'now' ? null : await reads.findFirstSince(start.since);
  if (first) await chargeEntries(first.count);
  const id = first?.isWholeLog ? -MAX_INT : Math.min(end.id ?? 0, (first?.id ?? Number.POSITIVE_INFINITY) - 1);
  const surroundings = await reads.readSurroundings(BEGINNING, { id, late: end.late });
  return surroundings.end;
}
