import { GatewayError, Problems } from '../errors.js';
import { costOfRows, costOfStreamPage } from '../events/event-cost.js';
import { type EventFilterInput, parseEventFilter } from '../events/event-filter.js';
import type { EventLog } from '../events/event-log.js';
import { type ChargeReads, createLogReader } from '../events/log-reader.js';
import { addToResponse, rejectIfTooLarge, weighFields } from '../events/response-size.js';
import { restrict } from '../events/restrict.js';
import { countLookedUp } from '../events/rows-read.js';
import { selectedEventFields } from '../events/selected-event-fields.js';
import type { InTurn } from '../limits/in-turn.js';
import { notSettled } from '../log-version/settle-log.js';
import type { SelectedFields } from '../request-context.js';
import { checkFeedSize, type EventFeedPage } from './event-feed.js';
import { type FeedEnd, isAtLogEnd, isSamePosition } from './feed-end.js';
import { rejectLostPosition } from './feed-reset.js';
import { type FeedStart, parseFeedStart } from './feed-start.js';
import type { FeedStreams } from './feed-streams.js';
import { findStart, type PageRead, type PageRequest, readFeedPage } from './read-feed.js';
import { createSharedReads } from './shared-reads.js';
import { type FeedContext, type FeedProgress, streamPages } from './stream-pages.js';

export interface FeedRequest {
  readonly filter: EventFilterInput;
  /** A cursor, `start`, `now` or an instant. */
  readonly after: string;
  readonly first: number;
  /** The fields that the client selects in the page. The default is all fields of the wire format. */
  readonly selected?: SelectedFields;
}

export interface FollowRequest extends Omit<FeedRequest, 'first'> {
  /** The most events in a page. */
  readonly batch: number;
}

export type EventFeedService = ReturnType<typeof createEventFeedService>;

/** The number of attempts to read a page. An attempt fails if the database restarts or is restored during it. */
const MAX_ATTEMPTS = 3;

/** A page of at least this many events counts as heavy work (limits/in-turn.ts), because building it delays other requests. */
const LONG_PAGE = 500;

/** The prefix of the paths of event fields in a page. */
const PREFIXES = ['events.'];

/** The largest fields of the wire format. A query that reads them also reads all smaller fields. */
const WIRE_FIELDS: SelectedFields = new Map(
  ['data', 'preData', 'storedTags'].map((field) => [`events.${field}`, [field]] as const),
);

/**
 * Reads events in the order of the feed: an event comes once no open transaction can add another one before it
 * (docs/decisions/040-feed.md). Only the primary knows its open transactions, so pages are read from the primary.
 */
export function createEventFeedService(log: EventLog, streams: FeedStreams, charge: ChargeReads, inTurn: InTurn) {
  const { endWatcher } = streams;
  const readFrom = createReadFrom(log, charge, inTurn);

  const readPage = async (feedRequest: FeedRequest, context: FeedContext): Promise<EventFeedPage> => {
    const { filter, after, first, selected = WIRE_FIELDS } = feedRequest;
    const problems = new Problems();
    checkFeedSize('first', first, problems);
    const start = parseFeedStart(after, problems);
    const criteria = restrict(context.caller, parseEventFilter(filter, problems), problems);
    const fields = selectedEventFields(selected, PREFIXES);
    const size = { weights: weighFields(selected, PREFIXES), maxCharacters: context.pageCharacters };
    const request = { criteria, first, fields, size };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      // Reads the end of the feed before the page, so that the page has all events up to that end.
      const isFar = isFarBehind(start, endWatcher.current, first);
      const end = await endWatcher.findEnd(context.signal, { waitsForNewest: !context.isContinuation && !isFar });
      const isKnown = end.id !== null || isAtLogEnd(end);
      if (start.kind !== 'position' && !isKnown) throw notSettled(endWatcher.findObstacle());
      const read = await readFrom(context, start, end, request, selected);
      if (read.isSameLog) {
        // Without a known end, the error could not tell the client where to start again.
        if (!read.hasPosition && !isKnown) throw notSettled(endWatcher.findObstacle());
        await rejectLostPosition(read, log.store, end);
        return isFar && !context.isContinuation ? correctUpToDate(read.page, end, context) : read.page;
      }
      await endWatcher.renew(end);
    }
    throw new GatewayError('ServiceUnavailableError', 'The database is being restarted or restored. Try again later.');
  };

  /** Checks `upToDate` again for a page whose end was up to half a second old. */
  const correctUpToDate = async (page: EventFeedPage, end: FeedEnd, { signal }: FeedContext): Promise<EventFeedPage> => {
    if (!page.upToDate) return page;
    const newest = await endWatcher.findEnd(signal, { waitsForNewest: true });
    return { ...page, upToDate: isSamePosition(newest, end) && isAtLogEnd(newest) };
  };

  const readBatch = async (request: FeedRequest, context: FeedContext): Promise<EventFeedPage> => {
    const page = await readPage(request, context);
    // The first page is not charged here: the cost of the operation that began the stream includes it.
    if (context.isContinuation) await charge(context, costOfStreamPage(page.events.length), 'after');
    return page;
  };

  return {
    /**
     * Returns one page.
     * @throws GatewayError FeedResetError for a cursor from another log, beyond the end of the log, or of a removed event
     */
    readPage,

    /** Yields pages as the end of the feed advances, and an empty page after 15 seconds without a page (stream-pages.ts). */
    follow({ batch, ...request }: FollowRequest, context: FeedContext, signal: AbortSignal): AsyncGenerator<EventFeedPage> {
      const problems = new Problems();
      checkFeedSize('batch', batch, problems);
      problems.throwIfAny();
      const weights = weighFields(request.selected ?? WIRE_FIELDS, PREFIXES);
      return streamPages(streams, {
        read: (after, first, now) => readBatch({ ...request, after, first }, now),
        toEmpty: (progress: FeedProgress): EventFeedPage => ({ events: [], cursors: [], ...progress }),
        lengthOf: ({ events }) => events.reduce((sum, event) => sum + event.lengthIn(weights), 0),
        after: request.after,
        batch,
        context: { ...context, signal },
      });
    },
  };
}

/** Whether a page probably ends before the known end of the feed, so that reading the page need not wait for newer events. */
function isFarBehind(start: FeedStart, end: FeedEnd | null, first: number): boolean {
  return start.kind === 'position' && (end?.id ?? 0) - (start.position.id ?? 0) >= first;
}

/** Returns the most events that a page compares with a free text: those between the start of the page and the end of the feed. */
function countPassed(start: FeedStart, end: FeedEnd): number {
  if (start.kind === 'now') return 0;
  if (start.kind === 'instant') return end.id ?? 0;
  const { id, late } = start.position;
  return Math.max(0, (end.id ?? 0) - (id ?? 0)) + Math.max(0, end.late - late);
}

/** Returns a function that reads a page up to a known end, once it is the caller's turn (limits/in-turn.ts). */
function createReadFrom(log: EventLog, charge: ChargeReads, inTurn: InTurn) {
  const { readInTurn } = createLogReader(async () => log, charge, inTurn);
  const shareReads = createSharedReads<PageRead>();

  return async (
    context: FeedContext,
    start: FeedStart,
    end: FeedEnd,
    request: PageRequest,
    selected: SelectedFields,
  ): Promise<PageRead & { readonly isSameLog: boolean }> => {
    const { criteria, first } = request;
    rejectIfTooLarge(context);
    const hasChanges = selected.has('events.changes');
    const compared = criteria.text ? countPassed(start, end) : 0;
    await charge(context, costOfRows({ compared, lookedUp: countLookedUp(criteria) }), 'before');
    const readPage = (reader: FeedContext) =>
      readInTurn(reader, first >= LONG_PAGE, async (open) => {
        const from = await findStart(open.reads, start, end, (skipped) => charge(context, costOfRows({ skipped }), 'after'));
        const found = await readFeedPage(open.reads, from, end, request);
        // The cost of the operation includes the `changes` of its first page only.
        if (hasChanges) await open.addEvents(found.page.events, selected, PREFIXES, !context.isContinuation);
        return found;
      });
    // Streams of one caller with the same filter reach the same position, so they share the read of the next page. Different
    // callers share no reads, because a read waits for the turn of the caller that began it.
    const wanted = [context.caller.id, start, end, request];
    const read = await (hasChanges
      ? readPage(context)
      : shareReads(wanted, (signal) => readPage({ ...context, signal }), context.signal));
    // Several requests may share this page. The size of the page counts in the response of each of them.
    if (!hasChanges) addToResponse(context, read.page.events, selected, PREFIXES);
    return { ...read, isSameLog: read.server === end.server && read.published >= (end.id ?? 0) && read.taken >= end.late };
  };
}
