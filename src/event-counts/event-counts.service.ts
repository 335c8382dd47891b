import { GatewayError, Problems } from '../errors.js';
import type { EventCriteria } from '../events/event.js';
import { costOfRows } from '../events/event-cost.js';
import { type EventFilterInput, parseEventFilter } from '../events/event-filter.js';
import type { ChooseLog } from '../events/event-log.js';
import { type ChargeReads, type Context, createLogReader, type OpenLog } from '../events/log-reader.js';
import { restrict } from '../events/restrict.js';
import { estimateRows } from '../events/rows-read.js';
import type { InTurn } from '../limits/in-turn.js';
import { toVersion } from '../log-version/version.js';
import type { SelectedFields } from '../request-context.js';
import { type Buckets, divide } from './buckets.js';
import { countLive, hasTable, type LiveCounts } from './count-live.js';
import { type CountInterval, type CountsRequest, checkCountsRequest, type EventCounts } from './event-counts.js';
import { hasOutside, summarize } from './fill-buckets.js';
import { findRange } from './time-range.js';

export type EventCountsService = ReturnType<typeof createEventCountsService>;

/** The number of attempts to count. An attempt fails if, after the range was read, events are added outside of it. */
const MAX_ATTEMPTS = 5;

/** A count by group and time is charged as a page with all rows: it reads all matching rows, even if their total is cached. */
const ALL_ROWS = { offset: 0, limit: Number.POSITIVE_INFINITY };

/** The cost of counts includes this many groups. Each further group takes as long as counting `ROWS_OF_GROUP` rows. */
const INCLUDED_GROUPS = 1_000;
const ROWS_OF_GROUP = 5;

/** Counts events by time and by group. */
export function createEventCountsService(chooseLog: ChooseLog, charge: ChargeReads, inTurn: InTurn) {
  const { readInTurn, searchInTurn } = createLogReader(chooseLog, charge, inTurn);
  return {
    /** Returns the numbers of events that match and their version (log-version/version.ts), all as of one moment. */
    async countEvents(
      context: Context,
      filter: EventFilterInput,
      request: CountsRequest,
      selected: SelectedFields,
    ): Promise<Partial<EventCounts> & { readonly version: string }> {
      const problems = new Problems();
      checkCountsRequest(request, problems);
      const criteria = restrict(context.caller, parseEventFilter(filter, problems), problems);
      const needsTotalOnly = [...selected.keys()].every((field) => field === 'total' || field === 'version');
      if (needsTotalOnly)
        return searchInTurn(context, criteria, null, async ({ totals }) => {
          const counted = await totals.count(criteria);
          return { total: counted.count, version: toVersion(counted, context.caller.projects) };
        });
      return readInTurn(context, false, async (log) => {
        const hadTable = hasTable(log, criteria, request);
        if (!hadTable) await charge(context, costOfRows(await estimateRows(log, criteria, ALL_ROWS)), 'before');
        const live = await countLive(log, criteria, request);
        if (live && (live.isNew || !hadTable)) context.statistics.hasNewTotal = true;
        const { table, buckets } = live ?? (await countAll(log, criteria, request));
        const counts = summarize(table, buckets, request);
        const grouped = (live?.rowsRead ?? counts.total) + Math.max(0, table.distinct - INCLUDED_GROUPS) * ROWS_OF_GROUP;
        await charge(context, costOfRows({ grouped }), 'after');
        return { ...counts, version: toVersion({ ...table, count: counts.total }, context.caller.projects) };
      });
    },
  };
}

/** Counts by group and bucket in one statement. Retries with new buckets if events outside of them were added meanwhile. */
async function countAll(
  { reads }: OpenLog,
  criteria: EventCriteria,
  request: CountsRequest,
): Promise<Pick<LiveCounts, 'table' | 'buckets'>> {
  const { by, interval, top } = request;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const buckets = interval && (await findBuckets(reads, criteria, { ...request, interval }));
    const table = await reads.readTable(criteria, { by, starts: buckets?.starts ?? [], most: by ? top : 1 });
    const isWhole = buckets ? !hasOutside(table, buckets) : interval === null || table.keys.length === 0;
    if (isWhole) return { table, buckets };
  }
  throw new GatewayError(
    'ServiceUnavailableError',
    'Events are added before or after the counted range all the time. Give since and until.',
  );
}

/** Returns the buckets of a request; null if the range is empty, or if the range depends on the events and none match. */
async function findBuckets(
  reads: OpenLog['reads'],
  criteria: EventCriteria,
  request: CountsRequest & { readonly interval: CountInterval },
): Promise<Buckets | null> {
  const range = await findRange(criteria, () => reads.findExtent(criteria));
  return range && divide(range, request, reads);
}
