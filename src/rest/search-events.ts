import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../events/event-page.js';
import { MAX_INT } from '../formats/integer.js';
import { SearchEventsDocument, SearchEventsVersionDocument } from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { COPY_AGE_HEADER } from '../http/copy-age.js';
import { isKnown, setVersion } from './entity-tag.js';
import { errorResponses } from './error-responses.js';
import type { RawParameters } from './filter-parameters.js';
import { DOCUMENTED_FILTER_SCHEMA } from './filter-schema.js';
import { parseSearchParameters } from './search-parameters.js';
import { COPY_AGE, ETAG, EventSearchResult, IF_NONE_MATCH, NOT_MODIFIED, refTo } from './wire-schemas.js';

/** The date of the deprecation in the form of RFC 9745: 2026-11-21, when the cursor connection was added to GraphQL. */
const DEPRECATION = '@1795219200';

const schema = {
  operationId: 'searchEvents',
  tags: ['Events'],
  deprecated: true,
  summary: 'Search events',
  description:
    'Searches events that match all given criteria. Deprecated in favor of the `events` connection of the GraphQL API, but still supported.',
  headers: IF_NONE_MATCH,
  querystring: Type.Object({
    ...DOCUMENTED_FILTER_SCHEMA,
    offset: Type.Optional(
      Type.String({
        pattern: '^[0-9]+$',
        default: '0',
        description: `The number of events to skip before the page, from 0 to ${MAX_INT}.`,
      }),
    ),
    limit: Type.Optional(
      Type.String({
        pattern: '^[0-9]+$',
        default: String(DEFAULT_LIMIT),
        description: `The number of events in the page, from 1 to ${MAX_LIMIT}. A page of more than 12 million characters is an error that says how many events fit.`,
      }),
    ),
  }),
  response: {
    200: {
      ...refTo(EventSearchResult),
      description: 'The page of events, newest first.',
      headers: {
        etag: ETAG,
        [COPY_AGE_HEADER]: COPY_AGE,
        deprecation: { type: 'string', description: 'The date of the deprecation (RFC 9745).' },
      },
    },
    ...NOT_MODIFIED,
    ...errorResponses('BadDataError', 'PermissionError'),
  },
};

/** Serves the event search of spec 4.2. */
export function registerSearchEvents(app: FastifyInstance, documents: OwnDocuments): void {
  app.get<{ Querystring: RawParameters }>(
    '/api/admin/search/events',
    { schema, config: { readsLog: true } },
    async (request, reply) => {
      const { query, context, headers } = request;
      reply.header('deprecation', DEPRECATION);
      const variables = parseSearchParameters(query);
      const isHead = request.method === 'HEAD';
      if (headers['if-none-match'] !== undefined || isHead) {
        const { searchEvents } = await documents.query(SearchEventsVersionDocument, variables, context);
        setVersion(reply, searchEvents.version);
        if (isKnown(request, searchEvents.version)) return reply.code(304).send();
        if (isHead) return reply.type('application/json; charset=utf-8').send();
      }
      const { version, total, events } = (await documents.query(SearchEventsDocument, variables, context)).searchEvents;
      setVersion(reply, version);
      return { events, total };
    },
  );
}
