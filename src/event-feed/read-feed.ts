import type { Event, EventCriteria, EventField } from '../events/event.js';
import type { EventReads } from '../events/event.store.js';
import { readFitting } from '../events/large-pages.js';
import type { OpenLog } from '../events/log-reader.js';
import { type EventWeights, rejectLargePage } from '../events/response-size.js';
import { MAX_INT } from '../formats/integer.js';
import type { EventFeedPage } from './event-feed.js';
import type { FeedSurroundings, LateEvent } from './event-feed.store.js';
import { type FeedEnd, isWhole } from './feed-end.js';
import { BEGINNING, type FeedPosition, toFeedCursor, toMark } from './feed-position.js';
import type { FeedStart } from './feed-start.js';

export interface PageRequest {
  readonly criteria: EventCriteria;
  readonly first: number;
  readonly fields: readonly EventField[];
  readonly weights: EventWeights;
  /** The size after which the page ends early. */
  readonly maxCharacters: number;
}

/** A page, and the state of the log around the position at which the page begins. */
export interface PageRead extends Pick<FeedSurroundings, 'server' | 'published' | 'taken' | 'hasPosition'> {
  readonly page: EventFeedPage;
}

/**
 * Reads the events after a position, up to an end that was read before. First come the late events with ids at or below the
 * position, then all events with ids above it, including late ones.
 */
export async function readFeedPage(
  { reads, giveWay }: Pick<OpenLog, 'reads' | 'giveWay'>,
  from: FeedPosition,
  end: FeedEnd,
  request: PageRequest,
): Promise<PageRead> {
  const read = (first: number) => readPage(reads, from, end, { ...request, first });
  return (await readFitting(request.first, read, giveWay)).page;
}

async function readPage(reads: EventReads, from: FeedPosition, end: FeedEnd, request: PageRequest): Promise<PageRead> {
  const { first, weights, maxCharacters } = request;
  const lateEvents = await listLate(reads, from, end, request);
  const size = first - lateEvents.length;
  const events = size > 0 ? await listAbove(reads, from, end, { ...request, first: size }) : [];
  const all = [...lateEvents.map(({ event }) => event), ...events];
  rejectLargePage(all, weights, maxCharacters);
  const surroundings = await reads.readSurroundings(from, { id: end.id ?? 0, late: end.late });
  const isFull = all.length === first;
  const passed = passLate(from, surroundings.end);
  const positions = [
    ...lateEvents.map(({ late, lateMark }): FeedPosition => ({ ...from, late, lateMark })),
    ...events.map(({ id, createdAt }): FeedPosition => ({ ...passed, id, idMark: toMark(createdAt) })),
  ];
  const position = isFull ? (positions.at(-1) ?? from) : passIds(passed, surroundings.end);
  return {
    ...surroundings,
    page: {
      events: all,
      cursors: positions.map(toFeedCursor),
      cursor: toFeedCursor(position),
      upToDate: !isFull && isWhole(end),
    },
  };
}

function listLate(
  reads: EventReads,
  { id, late }: FeedPosition,
  end: FeedEnd,
  { criteria, first, fields }: PageRequest,
): Promise<LateEvent[]> {
  if (id === null || end.late <= late) return Promise.resolve([]);
  return reads.listLate(criteria, { after: late, upTo: end.late, upToId: id }, first, fields);
}

function listAbove(
  reads: EventReads,
  { id }: FeedPosition,
  end: FeedEnd,
  { criteria, first, fields }: PageRequest,
): Promise<Event[]> {
  if (end.id === null || (id !== null && end.id <= id)) return Promise.resolve([]);
  return reads.listRange(criteria, { after: id, upTo: end.id }, first, fields);
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
 * @param chargeEntries charges for entries of an index that were read
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
