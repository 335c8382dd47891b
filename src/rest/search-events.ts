import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../events/event-page.js';
import { SearchEventsDocument, SearchEventsVersionDocument } from '../generated/graphql/graphql.js';
import { MAX_INT } from '../formats/integer.js';
import { isKnown, setVersion } from './entity-tag.js';
import type { Execute } from './execute.js';
import { parseSearchParameters, type RawParameters } from './search-parameters.js';
import { ETAG, EventSearchResult, errorResponses, IF_NONE_MATCH, NOT_MODIFIED } from './wire-schemas.js';

/** RFC 9745: since when the operation is deprecated, which is since this API has the cursor connection (2026-11-21). */
const DEPRECATION = '@1795219200';

const list = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(IS|IS_ANY_OF):(.*?)(,([a-zA-Z0-9_]+))*$',
      description:
        `Filter by ${what}; operators IS and IS_ANY_OF, which mean the same: one of the values, separated by commas. ` +
        'Each is trimmed and compared exactly; at least one must be left when blank ones are dropped.',
    }),
  );
const day = (which: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(IS):\\d{4}-\\d{2}-\\d{2}$',
      description: `The ${which} day of the creation date range, in UTC and included, written IS:yyyy-MM-dd.`,
    }),
  );

const schema = {
  operationId: 'searchEvents',
  tags: ['Events'],
  deprecated: true,
  summary: 'Search events',
  description:
    'Searches events matching the given criteria. Deprecated in favour of the `events` connection of the GraphQL API; it works and keeps working.',
  headers: IF_NONE_MATCH,
  querystring: Type.Object({
    query: Type.Optional(
      Type.String({
        description:
          'Free text, matched without regard to case as a literal part of the JSON text of the event `data` payload, if any.',
      }),
    ),
    feature: list('feature name'),
    project: list('project id'),
    type: list('event type'),
    createdBy: list('id of the event creator (whole numbers)'),
    from: day('first'),
    to: day('last'),
    offset: Type.Optional(
      Type.String({
        pattern: '^[0-9]+$',
        default: '0',
        description: `The number of items to skip when returning a page. 0 to ${MAX_INT}.`,
      }),
    ),
    limit: Type.Optional(
      Type.String({
        pattern: '^[0-9]+$',
        default: String(DEFAULT_LIMIT),
        description: `The number of items in a page. 1 to ${MAX_LIMIT}.`,
      }),
    ),
  }),
  response: {
    200: {
      ...EventSearchResult,
      description: 'The page of events, newest first.',
      headers: { etag: ETAG, deprecation: { type: 'string', description: 'Since when the operation is deprecated (RFC 9745).' } },
    },
    ...NOT_MODIFIED,
    ...errorResponses('BadDataError', 'PermissionError'),
  },
};

/** Spec 4.2. */
export function registerSearchEvents(app: FastifyInstance, execute: Execute): void {
  app.get<{ Querystring: RawParameters }>('/api/admin/search/events', { schema }, async (request, reply) => {
    const { query, caller, log, statistics, headers } = request;
    reply.header('deprecation', DEPRECATION);
    const variables = parseSearchParameters(query);
    if (headers['if-none-match'] !== undefined) {
      const { searchEvents } = await execute(SearchEventsVersionDocument, variables, { caller, log, statistics });
      setVersion(reply, searchEvents.version);
      if (isKnown(request, searchEvents.version)) return reply.code(304).send();
    }
    const { version, total, events } = (await execute(SearchEventsDocument, variables, { caller, log, statistics })).searchEvents;
    setVersion(reply, version);
    return { events, total };
  });
}
