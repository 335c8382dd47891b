import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { Problems } from '../errors.js';
import type { ReadLogVersion } from '../formats/entity-tag.js';
import { FeatureEventsPageDocument } from '../generated/graphql/graphql.js';
import { isStorableText, TEXT_RULE } from '../formats/text.js';
import { isKnown, setVersion } from './entity-tag.js';
import type { Execute } from './execute.js';
import { type WirePage, writeFeatureEvents } from './feature-events-body.js';
import { ETAG, errorResponses, FeatureEvents, IF_NONE_MATCH, NOT_MODIFIED } from './wire-schemas.js';

const schema = {
  operationId: 'getEventsForFeature',
  tags: ['Events'],
  summary: 'List events of one feature flag',
  description: 'Returns all events related to the named feature flag. When the flag does not exist, the list is empty.',
  headers: IF_NONE_MATCH,
  params: Type.Object({ featureName: Type.String({ description: 'The name of the flag, taken exactly as decoded.' }) }),
  response: {
    200: { ...FeatureEvents, description: 'All events of the flag, newest first.', headers: { etag: ETAG } },
    ...NOT_MODIFIED,
    ...errorResponses('BadDataError', 'PermissionError'),
  },
};

/** How many events are read at once: some hundred kilobytes, and a few milliseconds of the event loop. */
const PAGE_SIZE = 200;

/** So many pages are read before the answer begins: a list of fewer is answered whole, or with the status of what went wrong. */
const PAGES_BEFORE = 5;

/**
 * Spec 4.1: all events of the flag, in pages from the database to the socket. Its cost is that of its pages; once it has begun, it is
 * answered to its end.
 */
export function registerFeatureEvents(app: FastifyInstance, execute: Execute, readVersion: ReadLogVersion): void {
  app.get<{ Params: { featureName: string } }>('/api/admin/events/:featureName', { schema }, async (request, reply) => {
    const { caller, log, statistics } = request;
    const featureName = parseFeatureName(request.params);
    const version = await readVersion(caller);
    setVersion(reply, version);
    if (isKnown(request, version)) return reply.code(304).send();

    const readPage = async (after: string | null): Promise<WirePage> => {
      const variables = { featureName, first: PAGE_SIZE, after };
      const context = { caller, log, statistics, isContinuation: after !== null };
      const { nodes, pageInfo } = (await execute(FeatureEventsPageDocument, variables, context)).events;
      return { events: nodes, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
    };
    const pieces = writeFeatureEvents(featureName, readPage);
    const { beginning, isWhole } = await readBeginning(pieces, PAGES_BEFORE);
    reply.type('application/json; charset=utf-8');
    return reply.send(isWhole ? beginning : Readable.from(continueWith(beginning, pieces), { highWaterMark: 0 }));
  });
}

/** The first pieces, and whether they are all. */
async function readBeginning(pieces: AsyncIterator<string>, count: number): Promise<{ beginning: string; isWhole: boolean }> {
  let beginning = '';
  for (let read = 0; read < count; read += 1) {
    const { value, done } = await pieces.next();
    if (done) return { beginning, isWhole: true };
    beginning += value;
  }
  return { beginning, isWhole: false };
}

/** The beginning as one piece: what waits to be read is counted where it is written, and is not held here besides. */
async function* continueWith(beginning: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield beginning;
  yield* pieces;
}

function parseFeatureName({ featureName }: { readonly featureName: string }): string {
  const problems = new Problems();
  if (!isStorableText(featureName)) problems.add('featureName', TEXT_RULE);
  problems.throwIfAny();
  return featureName;
}
