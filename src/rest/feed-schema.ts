import { Type } from '@sinclair/typebox';
import { FEED_PAGE } from '../event-feed/event-feed.js';
import { MAX_LIMIT } from '../events/event-page.js';
import { COPY_AGE_HEADER } from '../http/copy-age.js';
import { errorResponses } from './error-responses.js';
import { MAX_WAIT_SECONDS } from './feed-parameters.js';
import { FILTER_SCHEMA } from './filter-schema.js';
import { COPY_AGE, Event, refTo } from './wire-schemas.js';

export const EventFeed = Type.Object(
  {
    events: Type.Array(refTo(Event), { description: 'The events, in the order of the feed.' }),
    next: Type.String({ description: 'The cursor for the next request. It moves also if no event matches.' }),
    upToDate: Type.Boolean({
      description:
        'Whether the page reaches the end of the log. It is false also while an open transaction may still add earlier events.',
    }),
  },
  { $id: 'EventFeed', description: 'A page of the feed.' },
);

const STREAM = { schema: Type.String() };

/** The documentation of the route in the OpenAPI document. */
export const FEED_SCHEMA = {
  operationId: 'followEvents',
  tags: ['Events'],
  summary: 'Follow the event log',
  description:
    'Returns the events after a cursor. New events always come after each cursor that was returned, so a client that sends the last one misses none.',
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({ description: 'The cursor after which a stream of server-sent events continues. It wins over `after`.' }),
    ),
  }),
  querystring: Type.Object({
    after: Type.Optional(
      Type.String({
        description:
          'A cursor; `start` for the whole log, `now` for events to come, or an RFC 3339 date-time for the events since then. Required without `last-event-id`.',
      }),
    ),
    limit: Type.Optional(
      Type.String({
        pattern: '^[0-9]+$',
        default: String(FEED_PAGE),
        description: `For \`application/json\`: the most events in a page, from 1 to ${MAX_LIMIT}.`,
      }),
    ),
    wait: Type.Optional(
      Type.String({
        pattern: '^[0-9]+$',
        description: `For \`application/json\`: the most seconds that a page waits for its first event, from 0 to ${MAX_WAIT_SECONDS}. For \`application/x-ndjson\`, only 0: the stream ends with the events that the log has when it starts.`,
      }),
    ),
    ...FILTER_SCHEMA,
  }),
  response: {
    200: {
      description:
        'The events after the cursor, in the format of the header `accept`: a page, or a stream that continues with events as they are added.',
      content: {
        'application/json': { schema: refTo(EventFeed) },
        'application/x-ndjson': STREAM,
        'text/event-stream': STREAM,
      },
      headers: {
        link: {
          type: 'string',
          description: 'For a page: the relative URL of the next one, as `rel="next"`, also if this one is empty.',
        },
        [COPY_AGE_HEADER]: COPY_AGE,
      },
    },
    ...errorResponses('BadDataError', 'PermissionError', 'NotSupportedHereError', 'NotAcceptableError', 'FeedResetError'),
  },
};
