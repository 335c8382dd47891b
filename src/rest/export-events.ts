import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { GatewayError } from '../errors.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import { COPY_AGE_HEADER } from '../http/copy-age.js';
import { type ExportedPage, type ExportRequest, hasHeader, type LogExport, startExport } from '../log-export/export-log.js';
import { errorResponses } from './error-responses.js';
import { parseExportParameters } from './export-parameters.js';
import { createExportSlots } from './export-slots.js';
import type { RawParameters } from './filter-parameters.js';
import { FILTER_SCHEMA } from './filter-schema.js';
import { COPY_AGE } from './wire-schemas.js';

const FILE = { schema: Type.String() };

const schema = {
  operationId: 'exportEvents',
  tags: ['Events'],
  summary: 'Export events',
  description:
    'Streams the matching events up to the id in `x-export-up-to` as a file, lowest id first. If the connection breaks, request the rest with `after` and `up-to`: both parts together are the file, byte for byte. An error resets the connection, so that a part never looks complete. A caller can run one export at a time.',
  querystring: Type.Object({
    format: Type.Optional(
      Type.String({
        enum: ['ndjson', 'csv'],
        default: 'ndjson',
        description: '`ndjson`: an event per line, as the command `import` reads it. `csv`: RFC 4180 with a header.',
      }),
    ),
    formulas: Type.Optional(
      Type.String({
        enum: ['keep'],
        description:
          "For `csv`. Without it, a text that a spreadsheet would run as a formula gets a `'` before it: one that begins with `=`, `+`, `-`, `@`, a tab or a line break. The same holds for `=`, `+`, `-` and `@` behind a semicolon, a tab or a line break, also with quotes between them. In JSON, a semicolon before one of them is written as `\\u003b`.",
      }),
    ),
    after: Type.Optional(
      Type.String({
        pattern: '^-?[0-9]+$',
        description: 'The id of the last event that the client has. Only later ids are exported.',
      }),
    ),
    'up-to': Type.Optional(
      Type.String({
        pattern: '^-?[0-9]+$',
        description:
          'The `x-export-up-to` of an export that was interrupted. With `after`, a CSV file has no header, because it continues another.',
      }),
    ),
    ...FILTER_SCHEMA,
  }),
  response: {
    200: {
      description: 'The events, lowest id first.',
      content: { 'application/x-ndjson': FILE, 'text/csv': FILE },
      headers: {
        'x-export-up-to': { type: 'string', description: 'The id up to which the log is exported.' },
        'x-export-count': { type: 'string', description: 'The exact number of events in this response.' },
        'x-feed-cursor': {
          type: 'string',
          description: 'The cursor with which `/v1/events/feed` continues after the export. Absent with `up-to`.',
        },
        'content-disposition': { type: 'string', description: 'The name of the file.' },
        [COPY_AGE_HEADER]: COPY_AGE,
      },
    },
    ...errorResponses('BadDataError', 'PermissionError', 'NotSupportedHereError'),
  },
};

/** Serves exports: streams the log page by page, from the database to the socket. Each page waits for its turn and is charged. */
export function registerExportEvents(app: FastifyInstance, documents: OwnDocuments): void {
  const takeSlot = createExportSlots();
  app.get<{ Querystring: RawParameters }>('/v1/events/export', { schema, config: { readsLog: true } }, async (request, reply) => {
    const { context, method, query } = request;
    const wanted = parseExportParameters(query);
    const start = () => startExport(documents, wanted, context).catch(rethrowWithParameter);
    if (method === 'HEAD') return setHeaders(reply, wanted, await start()).send();

    const release = await takeSlot(context.caller.id, context.signal);
    reply.raw.once('close', release);
    const found = await start();
    const pages = found.pages();
    // If the first page fails, the client gets the status of its error.
    const first = await pages.next();
    return setHeaders(reply, wanted, found).send(Readable.from(stream(first, pages, release, reply), { highWaterMark: 0 }));
  });
}

function setHeaders(reply: FastifyReply, request: ExportRequest, { upTo, count, feedCursor }: LogExport): FastifyReply {
  if (feedCursor !== null) reply.header('x-feed-cursor', feedCursor);
  const csv = `text/csv; charset=utf-8; header=${hasHeader(request) ? 'present' : 'absent'}`;
  return reply
    .type(request.format === 'csv' ? csv : 'application/x-ndjson; charset=utf-8')
    .header('content-disposition', `attachment; filename="events-up-to-${upTo}.${request.format}"`)
    .header('x-export-up-to', upTo)
    .header('x-export-count', count);
}

/** Yields the pages. An error resets the connection, since an HTTP/1.0 client takes a normal close for the end of the file. */
async function* stream(
  first: IteratorResult<ExportedPage>,
  pages: AsyncGenerator<ExportedPage>,
  release: () => void,
  reply: FastifyReply,
): AsyncGenerator<string> {
  try {
    if (first.done) return;
    yield first.value.text;
    for await (const { text } of pages) yield text;
  } catch (error) {
    if (error instanceof GatewayError) error.logTo(reply.log);
    reply.raw.socket?.resetAndDestroy();
    throw error;
  } finally {
    release();
    // A client that disconnects during the first page leaves the later pages unread.
    await pages.return(undefined);
  }
}

/** Renames the GraphQL argument `upTo` in an error to the REST parameter `up-to`. Throws all other errors unchanged. */
function rethrowWithParameter(error: unknown): never {
  const problem = error instanceof GatewayError && error.details.find(({ path }) => path === 'upTo');
  if (!problem) throw error;
  const { message } = problem;
  throw new GatewayError('BadDataError', `The request is not valid: up-to ${message}`, { details: [{ path: 'up-to', message }] });
}
