import { Problems } from '../errors.js';
import { checkFeedSize, FEED_PAGE } from '../event-feed/event-feed.js';
import { parseFeedStart } from '../event-feed/feed-start.js';
import type { EventFeedPageQueryVariables } from '../generated/graphql/graphql.js';
import type { FeedFormat } from './feed-format.js';
import { FILTERS, parseFilter, parseNumber, type RawParameters, readOnce, refuseUnknown } from './filter-parameters.js';

const KNOWN = ['after', 'limit', 'wait', ...FILTERS];

/** The longest time that a page waits for its first event. */
export const MAX_WAIT_SECONDS = 30;

/** A request for the feed. `filter` has the filter parameters. */
export interface FeedParameters extends Pick<EventFeedPageQueryVariables, 'filter' | 'after'> {
  readonly limit: number;
  /** The seconds that a page waits for its first event. A stream with 0 ends at the log's end; a stream with null stays open. */
  readonly wait: number | null;
}

/**
 * Parses the query parameters of the feed.
 * @param lastEventId the header by which a stream of server-sent events continues. It wins over `after`.
 * @param stream the format of a stream; null for a page of JSON
 * @throws GatewayError BadDataError with everything that is wrong
 */
export function parseFeedParameters(
  raw: RawParameters,
  lastEventId: string | undefined,
  stream: FeedFormat | null,
): FeedParameters {
  const problems = new Problems();
  refuseUnknown(raw, KNOWN, problems);
  const filter = parseFilter(raw, problems);
  const after = lastEventId ?? readOnce(raw, 'after', problems);
  if (after !== undefined) parseFeedStart(after, problems);
  else if (raw.after === undefined)
    problems.add('after', 'is required: a cursor, start, now, or an RFC 3339 date-time with a zone');
  const size = readOnce(raw, 'limit', problems);
  const limit = parseNumber(size, FEED_PAGE);
  checkFeedSize('limit', limit, problems);
  if (stream && size !== undefined) problems.add('limit', 'belongs to pages of application/json');
  const wait = parseWait(readOnce(raw, 'wait', problems), stream, problems);
  problems.throwIfAny();
  return { filter, after: after ?? '', limit, wait };
}

function parseWait(value: string | undefined, stream: FeedFormat | null, problems: Problems): number | null {
  if (value === undefined) return stream ? null : 0;
  const wait = parseNumber(value, 0);
  if (stream?.name === 'SSE') problems.add('wait', 'is a parameter of other formats; omit it for server-sent events');
  else if (stream && wait !== 0)
    problems.add(
      'wait',
      'must be 0 for application/x-ndjson, so that the stream ends at the current end of the log; omit it for a stream that stays open',
    );
  else if (!(wait >= 0 && wait <= MAX_WAIT_SECONDS))
    problems.add('wait', `must be a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}`);
  return wait;
}
