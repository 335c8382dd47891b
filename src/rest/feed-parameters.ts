import { Problems } from '../errors.js';
import { checkFeedSize, FEED_PAGE } from '../event-feed/event-feed.js';
import { parseFeedStart } from '../event-feed/feed-start.js';
import type { EventFeedPageQueryVariables } from '../generated/graphql/graphql.js';
import { FILTERS, parseFilter, parseNumber, type RawParameters, readOnce, refuseUnknown } from './filter-parameters.js';

const KNOWN = ['after', 'limit', 'wait', ...FILTERS];

/** The longest time that a page waits for its first event. */
export const MAX_WAIT_SECONDS = 30;

/** A request for the feed. Its names are those of the parameters. */
export interface FeedParameters extends Pick<EventFeedPageQueryVariables, 'filter' | 'after'> {
  readonly limit: number | null;
  readonly wait: number;
}

/**
 * Parses the query parameters of the feed.
 * @param lastEventId the header by which a stream of server-sent events continues. It wins over `after`.
 * @throws GatewayError BadDataError with everything that is wrong
 */
export function parseFeedParameters(raw: RawParameters, lastEventId: string | undefined): FeedParameters {
  const problems = new Problems();
  refuseUnknown(raw, KNOWN, problems);
  const filter = parseFilter(raw, problems);
  const after = lastEventId ?? readOnce(raw, 'after', problems);
  if (after !== undefined) parseFeedStart(after, problems);
  else if (raw.after === undefined)
    problems.add('after', 'is required: a cursor, start, now, or an RFC 3339 date-time with a zone');
  const limit = readOnce(raw, 'limit', problems);
  const size = parseNumber(limit, FEED_PAGE);
  checkFeedSize('limit', size, problems);
  const wait = parseNumber(readOnce(raw, 'wait', problems), 0);
  if (!(wait >= 0 && wait <= MAX_WAIT_SECONDS))
    problems.add('wait', `must be a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}`);
  problems.throwIfAny();
  return { filter, after: after ?? '', limit: limit === undefined ? null : size, wait };
}
