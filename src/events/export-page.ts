import { Problems } from '../errors.js';
import { BEGINNING, toFeedCursor } from '../event-feed/feed-position.js';
import type { SelectedFields } from '../request-context.js';
import type { Event } from './event.js';
import { costOfRows } from './event-cost.js';
import { type EventFilterInput, parseEventFilter } from './event-filter.js';
import { checkExportArgs, type ExportArgs } from './event-page.js';
import type { ChargeReads, Context, LogReader, OpenLog } from './log-reader.js';
import { weighFields } from './response-size.js';
import { restrict } from './restrict.js';
import { estimateRows } from './rows-read.js';
import { selectedEventFields } from './selected-event-fields.js';
import type { SettledLog, SettleExport } from './settle-export.js';

/** The prefix of the paths of event fields in a page. */
const PREFIXES = ['events.'];

interface ExportPage {
  readonly upTo: number;
  readonly feedCursor?: string | null | undefined;
  readonly count?: number | undefined;
  readonly events?: readonly Event[] | undefined;
}

interface ExportAccess extends Pick<LogReader, 'readInTurn'> {
  readonly settle: SettleExport;
  readonly charge: ChargeReads;
}

/**
 * Reads a page of events in the order of their ids (docs/decisions/039-export.md). If the pages were in the order of time, an
 * event that is committed late could belong to a page that was already exported. log-export/export-log.ts chooses the size of
 * each page.
 */
export async function readExportPage(
  { settle, readInTurn, charge }: ExportAccess,
  context: Context,
  { filter, after = null, upTo: given = null, first }: ExportArgs & { readonly filter: EventFilterInput },
  selected: SelectedFields,
): Promise<ExportPage> {
  const problems = new Problems();
  checkExportArgs({ first }, problems);
  const criteria = restrict(context.caller, parseEventFilter(filter, problems), problems);
  const needsEvents = selected.has('events');
  const needsCount = selected.has('count');
  const settled = await settle(context, given, !needsCount);
  const { upTo } = settled;
  const needsCursor = selected.has('feedCursor') && given === null;
  if (!needsEvents && !needsCount && !needsCursor) return { upTo, feedCursor: null };
  const range = { after, upTo };
  return readInTurn(context, needsEvents && first >= LONG_PAGE, async (log) => {
    // The cursor is read before the events. If an event is added late, with an id up to `upTo`, a feed from the cursor has it.
    const feedCursor = needsCursor ? await findFeedCursor(log, settled) : null;
    // The count reads all rows of the filter, even if their total is cached. An infinite limit makes the estimate include them.
    const page = { offset: 0, limit: needsCount ? Number.POSITIVE_INFINITY : first };
    await charge(context, costOfRows(await estimateRows(log, criteria, page)), 'before');
    const count = needsCount ? await log.reads.countRange(criteria, range) : undefined;
    // The count has read the index entries of all counted events.
    if (count !== undefined && !criteria.text) await charge(context, costOfRows({ skipped: count }), 'after');
    const fields = selectedEventFields(selected, PREFIXES);
    const size = { weights: weighFields(selected, PREFIXES) };
    const { events } =
      needsEvents && first > 0 ? await log.reads.listRange(criteria, range, first, { fields, size }) : { events: [] };
    await log.addEvents(events, selected, PREFIXES);
    return { upTo, feedCursor, count, events };
  });
}

async function findFeedCursor({ reads }: OpenLog, { upTo, late }: SettledLog): Promise<string> {
  const { end } = await reads.readSurroundings(BEGINNING, { id: upTo, late });
  return toFeedCursor(end);
}

/** A page of at least this many events is heavy work: building the page from its rows delays other requests. */
const LONG_PAGE = 500;
