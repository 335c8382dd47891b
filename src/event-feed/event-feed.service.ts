import { GatewayError, Problems } from '../errors.js';
import { costOfRows } from '../events/event-cost.js';
import { type EventFilterInput, parseEventFilter } from '../events/event-filter.js';
import type { EventLog } from '../events/event-log.js';
import { type ChargeReads, type Context, createLogReader } from '../events/log-reader.js';
import { restrict } from '../events/restrict.js';
import { countLookedUp } from '../events/rows-read.js';
import { selectedEventFields } from '../events/selected-event-fields.js';
import type { InTurn } from '../limits/fair-queue.js';
import type { RequestContext } from '../request-context.js';
import { checkFeedSize, type EventFeedPage } from './event-feed.js';
import type { FeedEnd, FeedEnds } from './feed-end.js';
import { resetError } from './feed-reset.js';
import { type FeedStart, parseFeedStart } from './feed-start.js';
import { followPages } from './follow-pages.js';
import { findStart, type PageRead, type PageRequest, readFeedPage } from './read-feed.js';

export interface FeedRequest {
  readonly filter: EventFilterInput;
  /** A cursor, `start`, `now` or an instant. */
  readonly after: string;
  readonly first: number;
  /** The paths of the fields that the client selects in the page. By default all of them. */
  readonly selected?: ReadonlySet<string>;
}

export interface FollowRequest extends Omit<FeedRequest, 'first'> {
  /** The most events in a page. */
  readonly batch: number;
}

/** The context of a reader of the feed. */
export type FeedContext = Context & Pick<RequestContext, 'reauthenticate'>;

export type EventFeedService = ReturnType<typeof createEventFeedService>;

/** How often a page is read again because it was of another run of the server. */
const MAX_ATTEMPTS = 3;

/** A page of this size or more delays other requests after its query, too. */
const LONG_PAGE = 500;

/**
 * Reads events in the order in which they became visible for good (docs/decisions/040-feed.md). Pages are read from the primary, whose open
 * transactions hold the end of the feed.
 */
export function createEventFeedService(log: EventLog, ends: FeedEnds, charge: ChargeReads, inTurn: InTurn) {
  const { readInTurn } = createLogReader(async () => log, charge, inTurn);

  const readOnce = (context: FeedContext, start: FeedStart, end: FeedEnd, request: PageRequest, hasChanges: boolean) =>
    readInTurn(context, request.first >= LONG_PAGE, async ({ reads, compare }): Promise<PageRead> => {
      const from = await findStart(reads, start, end);
      // A free text is compared with every event that the page passes.
      const compared = request.criteria.text ? Math.max(0, (end.id ?? 0) - Math.max(from.id ?? 0, 0)) : 0;
      const lookedUp = countLookedUp(request.criteria);
      await charge(context, costOfRows({ compared, lookedUp }), 'before');
      const read = await readFeedPage(reads, from, end, request);
      if (hasChanges) await compare(read.page.events);
      return read;
    });

  const readPage = async (feedRequest: FeedRequest, context: FeedContext): Promise<EventFeedPage> => {
    const { filter, after, first, selected } = feedRequest;
    const problems = new Problems();
    checkFeedSize('first', first, problems);
    const start = parseFeedStart(after, problems);
    const criteria = restrict(context.caller, parseEventFilter(filter, problems), problems);
    const request = { criteria, first, fields: selectedEventFields(selected ?? ALL, 'events') };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      // The watermark is read first, then the page.
      const end = await ends.find(context.isContinuation !== true, context.signal);
      const read = await readOnce(context, start, end, request, selected?.has('events.changes') === true);
      const isSameLog = read.server === end.server && read.published >= (end.id ?? 0) && read.taken >= end.late;
      if (!isSameLog) {
        await ends.renew(end);
        continue;
      }
      if (!read.hasPosition) throw await resetError(log.store, end);
      return read.page;
    }
    throw new GatewayError('ServiceUnavailableError', 'The database is being restarted or restored. Try again later.');
  };

  return {
    /**
     * Returns one page.
     * @throws GatewayError FeedResetError for a cursor of another log, of the future, or of events that were removed
     */
    readPage,

    /** Yields pages as events become visible for good, and an empty page every 15 seconds (follow-pages.ts). */
    follow({ batch, ...request }: FollowRequest, context: FeedContext, signal: AbortSignal): AsyncGenerator<EventFeedPage> {
      const problems = new Problems();
      checkFeedSize('batch', batch, problems);
      problems.throwIfAny();
      const read = (after: string, first: number, now: FeedContext) => readPage({ ...request, after, first }, now);
      const toEmpty = (state: Pick<EventFeedPage, 'cursor' | 'upToDate'>): EventFeedPage => ({
        events: [],
        cursors: [],
        ...state,
      });
      return followPages(ends, { read, toEmpty, after: request.after, batch, context: { ...context, signal } });
    },

    /** The end of the feed, for streams that read their pages in another way. */
    ends,
  };
}

/** The fields of an event that a caller needs which selects no fields. */
const ALL: ReadonlySet<string> = new Set(
  [
    'createdAt',
    'typeName',
    'createdBy',
    'createdByUserId',
    'environment',
    'project',
    'featureName',
    'data',
    'preData',
    'storedTags',
  ].map((field) => `events.${field}`),
);
