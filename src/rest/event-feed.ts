import type { FastifyInstance } from 'fastify';
import { FEED_PAGE } from '../event-feed/event-feed.js';
import { EventFeedPageDocument } from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { parseFeedParameters } from './feed-parameters.js';
import { FEED_SCHEMA } from './feed-schema.js';
import type { RawParameters } from './filter-parameters.js';

const FEED_PATH = '/v1/events/feed';

export function registerEventFeed(app: FastifyInstance, documents: OwnDocuments): void {
  app.get<{ Querystring: RawParameters }>(
    FEED_PATH,
    { schema: FEED_SCHEMA, config: { readsLog: true } },
    async (request, reply) => {
      const { query, context } = request;
      const { filter, after, limit } = parseFeedParameters(query, undefined);
      const variables = { filter, after, first: limit ?? FEED_PAGE };
      const { events, cursor, upToDate } = (await documents.query(EventFeedPageDocument, variables, context)).eventFeed;
      const next = new URLSearchParams({ ...(query as Record<string, string>), after: cursor });
      reply.header('link', `<${FEED_PATH}?${next}>; rel="next"`);
      return { events, next: cursor, upToDate };
    },
  );
}
