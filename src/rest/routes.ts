import type { FastifyInstance } from 'fastify';
import type { FeedStreams } from '../event-feed/feed-streams.js';
import { toBody } from '../formats/json-body.js';
import {
  CreatePublicSignupTokenDocument,
  EventCountsDocument,
  EventCountsVersionDocument,
  EventFeedPageDocument,
  FeatureEventsPageDocument,
  SearchEventsDocument,
  SearchEventsVersionDocument,
  SignupTokenDocument,
} from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { EXPORT_DOCUMENTS } from '../log-export/export-log.js';
import type { ReadLogVersion } from '../log-version/version.js';
import { registerCreateSignupToken } from './create-signup-token.js';
import { registerEventCounts } from './event-counts.js';
import { registerEventFeed } from './event-feed.js';
import { registerExportEvents } from './export-events.js';
import { registerFeatureEvents } from './feature-events.js';
import { registerOpenapi } from './openapi.js';
import { registerReadSignupToken } from './read-signup-token.js';
import { registerSearchEvents } from './search-events.js';

/** The documents that the routes run. */
export const REST_DOCUMENTS = [
  ...EXPORT_DOCUMENTS,
  CreatePublicSignupTokenDocument,
  EventCountsDocument,
  EventCountsVersionDocument,
  EventFeedPageDocument,
  FeatureEventsPageDocument,
  SearchEventsDocument,
  SearchEventsVersionDocument,
  SignupTokenDocument,
];

/** Registers the REST shim: the paths of spec 4 and `/v1`, which run documents on the GraphQL schema, and `/openapi.json`. */
export async function registerRest(
  app: FastifyInstance,
  documents: OwnDocuments,
  readVersion: ReadLogVersion,
  streams: FeedStreams,
): Promise<void> {
  await app.register(async (rest) => {
    // The route schemas are documentation only. The parsers validate each request once, and report every problem.
    rest.setValidatorCompiler(() => () => true);
    // Fastify's types allow only text, but it sends bytes as well.
    rest.setSerializerCompiler(() => toBody as (value: unknown) => string);
    await registerOpenapi(rest);
    registerFeatureEvents(rest, documents, readVersion);
    registerSearchEvents(rest, documents);
    registerEventCounts(rest, documents);
    registerEventFeed(rest, documents, streams);
    registerExportEvents(rest, documents);
    registerCreateSignupToken(rest, documents);
    registerReadSignupToken(rest, documents);
  });
}
