import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { Problems } from '../errors.js';
import { checkEventFilter } from '../events/event-filter.js';
import { FeatureEventsPageDocument } from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { COPY_AGE_HEADER } from '../http/copy-age.js';
import type { ReadLogVersion } from '../log-version/version.js';
import { isKnown, setVersion } from './entity-tag.js';
import { errorResponses } from './error-responses.js';
import { type FeatureEventsBody, type WirePage, writeFeatureEvents } from './feature-events-json.js';
import { COPY_AGE, ETAG, FeatureEvents, IF_NONE_MATCH, NOT_MODIFIED, refTo } from './wire-schemas.js';

const schema = {
  operationId: 'getEventsForFeature',
  tags: ['Events'],
  summary: 'List events of one feature flag',
  description: 'Returns all events of the named feature flag. If the flag does not exist, the list is empty.',
  headers: IF_NONE_MATCH,
  params: Type.Object({ featureName: Type.String({ description: 'The name of the flag, decoded and then compared exactly.' }) }),
  response: {
    200: {
      ...refTo(FeatureEvents),
      description: 'All events of the flag, newest first.',
      headers: { etag: ETAG, [COPY_AGE_HEADER]: COPY_AGE },
    },
    ...NOT_MODIFIED,
    ...errorResponses('BadDataError', 'PermissionError'),
  },
};

/** The number of events read at once. They have about a hundred kilobytes, and take a few milliseconds of the event loop. */
const PAGE_SIZE = 200;

/**
 * The response begins once this many bytes are read, or all events. If reading them fails, the client gets the status of the error.
 * Until then, the limit for slow readers does not count them, and hundreds of requests of one caller can hold up to 256 kB each.
 */
const BEGINNING_BYTES = 256 * 1024;

/**
 * Serves spec 4.1: streams all events of the flag, page by page, from the database to the socket. Each page is charged. Once the
 * first page is accepted, the whole response is sent, whatever its cost.
 */
export function registerFeatureEvents(app: FastifyInstance, documents: OwnDocuments, readVersion: ReadLogVersion): void {
  app.get<{ Params: { featureName: string } }>(
    '/api/admin/events/:featureName',
    { schema, config: { readsLog: true } },
    async (request, reply) => {
      const { context } = request;
      const featureName = parseFeatureName(request.params);
      const version = await readVersion(context);
      setVersion(reply, version);
      if (isKnown(request, version)) return reply.code(304).send();
      reply.type('application/json; charset=utf-8');
      if (request.method === 'HEAD') return reply.send();

      const readPage = async (after: string | null): Promise<WirePage> => {
        const variables = { featureName, first: PAGE_SIZE, after };
        const { nodes, pageInfo } = (
          await documents.query(FeatureEventsPageDocument, variables, context, { isContinuation: after !== null })
        ).events;
        return { events: nodes, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
      };
      const body = writeFeatureEvents(featureName, readPage);
      const beginning = await readBeginning(body);
      if (body.isComplete()) return reply.send(beginning);
      return reply.send(Readable.from(continueWith([beginning], body.pieces), { highWaterMark: 0 }));
    },
  );
}

/** Returns the first pieces as one. They may be the whole response. */
async function readBeginning({ pieces, isComplete }: FeatureEventsBody): Promise<Buffer> {
  const read: Buffer[] = [];
  for (let length = 0; length < BEGINNING_BYTES && !isComplete(); ) {
    const { value } = await pieces.next();
    if (!value) break;
    read.push(value);
    length += value.length;
  }
  return joinPieces(read);
}

/** Most responses have one piece, which is not copied. */
function joinPieces(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  return first && pieces.length === 1 ? first : Buffer.concat(pieces);
}

/**
 * Yields the beginning as one piece, so that the response holds all of it and the limit for slow readers counts it.
 * @param beginning a list of one piece. It is emptied, because the parameter would otherwise keep the piece until the end
 */
async function* continueWith(beginning: Buffer[], pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* beginning.splice(0);
  yield* pieces;
}

function parseFeatureName({ featureName }: { readonly featureName: string }): string {
  const problems = new Problems();
  checkEventFilter({ features: [featureName] }, problems, () => 'featureName');
  problems.throwIfAny();
  return featureName;
}
