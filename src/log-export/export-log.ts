import { setImmediate } from 'node:timers/promises';
import { watchToken } from '../auth/watch-token.js';
import { GatewayError } from '../errors.js';
import { EXPORT_PAGE } from '../events/event-page.js';
import { toOneLine } from '../formats/json-text.js';
import {
  EventExportPageDocument,
  EventExportStartDocument,
  type EventExportStartQueryVariables,
} from '../generated/graphql/graphql.js';
import type { OwnDocuments } from '../graphql/own-documents.js';
import type { RequestContext } from '../request-context.js';
import { CSV_HEADER, toCsvRecord } from './csv.js';

/** The documents that an export runs. */
export const EXPORT_DOCUMENTS = [EventExportPageDocument, EventExportStartDocument];

export interface ExportRequest {
  readonly format: 'ndjson' | 'csv';
  /** Whether texts that a spreadsheet would run as formulas stay as they are. */
  readonly keepsFormulas: boolean;
  readonly filter: EventExportStartQueryVariables['filter'];
  /** The id of the last event that the client has; null for none. */
  readonly after: number | null;
  /** If this export continues an interrupted export, the `LogExport.upTo` of that export; null for a new export. */
  readonly upTo: number | null;
}

export interface LogExport {
  /** The id up to which the log is exported. */
  readonly upTo: number;
  /** The cursor with which the feed continues after the export; null if the export continues an interrupted one. */
  readonly feedCursor: string | null;
  /** The number of events in the export. */
  readonly count: number;
  /**
   * Yields the text of the file, page by page.
   * @throws GatewayError if a page cannot be read, or if the token has expired or was revoked; ExportChangedError if the events
   * changed meanwhile
   */
  pages(): AsyncGenerator<ExportedPage>;
}

/** Reports that the exported events changed during the export. An import, a mirror or an administrator can change them. */
export class ExportChangedError extends GatewayError {
  constructor() {
    super(
      'ServiceUnavailableError',
      'Events were added or removed within the range of the export while it ran. Start the export again, and discard what was written.',
    );
  }
}

export interface ExportedPage {
  readonly text: string;
  /** The number of events on the page. */
  readonly events: number;
  /** The id of the last event; null for a page without events. */
  readonly lastId: number | null;
}

/** The number of events on the first page. It is small, because events can be megabytes each. */
const FIRST_PAGE = 100;

/**
 * The intended size of a page. It determines how many events the next page requests. It is below 128 kB, because V8 frees larger
 * texts late. If a larger text survives a garbage collection of the young generation, V8 keeps it until the next full collection.
 */
const AIMED_CHARACTERS = 96 * 1024;

/**
 * Finds the end of an export and counts its events. The text of the export depends only on the request, the end, and the log up
 * to the end.
 */
export async function startExport(documents: OwnDocuments, request: ExportRequest, context: RequestContext): Promise<LogExport> {
  const { filter, after, upTo } = request;
  const { eventExport } = await documents.query(EventExportStartDocument, { filter, after, upTo }, context);
  return { ...eventExport, pages: () => readPages(documents, request, eventExport, context) };
}

/**
 * Reads the pages. Each page but the first is read while the one before it is converted and sent. If the consumer stops early, the
 * read is canceled.
 */
async function* readPages(
  documents: OwnDocuments,
  request: ExportRequest,
  { upTo, count }: Pick<LogExport, 'upTo' | 'count'>,
  context: RequestContext,
): AsyncGenerator<ExportedPage> {
  const write = (line: string) => (request.format === 'csv' ? toCsvRecord(line, !request.keepsFormulas) : `${line}\n`);
  const token = watchToken(context);
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const read = async (after: number | null, first: number, isContinuation: boolean) => {
    const variables = { filter: request.filter, after, upTo, first };
    const currentContext = { ...context, signal, caller: await token.check() };
    const page = await documents.query(EventExportPageDocument, variables, currentContext, { isContinuation });
    return { lines: page.eventExport.events.toItems().map(toOneLine), first };
  };

  let header = hasHeader(request) ? CSV_HEADER : '';
  let written = 0;
  let next = read(request.after, Math.min(FIRST_PAGE, withOneMore(count)), false);
  const takePage = async () => {
    const { lines, first } = await next;
    // The token can have expired while the client did not read.
    await token.check();
    written += lines.length;
    // A page of large events can have fewer events than requested. A short page is the last one only if all events are written.
    const isLast = lines.length === 0 || (lines.length < first && written === count);
    if (written > count || (isLast && written < count)) throw new ExportChangedError();
    const lastId = lines.length > 0 ? idOf(lines[lines.length - 1] ?? '') : null;
    if (!isLast) {
      next = read(lastId, Math.min(sizeAfter(lines), withOneMore(count - written)), true);
      // Marks a failure as handled. Node.js would otherwise end the process before the page is taken.
      next.catch(() => undefined);
      // Lets the query reach the database before the conversion blocks the event loop.
      await setImmediate();
    }
    return { isLast, page: { text: header + lines.map(write).join(''), events: lines.length, lastId } };
  };
  try {
    for (let isLast = false; !isLast; header = '') {
      const taken = await takePage();
      ({ isLast } = taken);
      if (taken.page.text !== '') yield taken.page;
    }
  } finally {
    ending.abort();
    await next.catch(() => undefined);
  }
}

/** Requests one event beyond the count. If that event exists, events were added since the count. */
const withOneMore = (events: number) => events + 1;

/** Returns the number of events to request after a page, so that the next one has about the intended size. */
function sizeAfter(lines: readonly string[]): number {
  const characters = lines.reduce((sum, { length }) => sum + length + 1, 0);
  return Math.max(1, Math.min(EXPORT_PAGE, Math.floor((AIMED_CHARACTERS * lines.length) / characters)));
}

/** Whether the text begins with a CSV header. The rest of an interrupted export has none, because it continues a file. */
export function hasHeader({ format, after, upTo }: ExportRequest): boolean {
  return format === 'csv' && (after === null || upTo === null);
}

const ID = /^\{"id":(-?\d+)/;

function idOf(event: string): number {
  const [, id] = ID.exec(event) ?? [];
  if (id === undefined) throw new Error('An event in wire form does not begin with its id.');
  return Number(id);
}
