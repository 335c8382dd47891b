import type { KeptTables } from '../event-counts/kept-tables.js';
import type { GiveWay, InTurn } from '../limits/in-turn.js';
import type { RequestContext, SelectedFields } from '../request-context.js';
import { compareInSlices } from './changes/compare-in-slices.js';
import type { Event, EventCriteria } from './event.js';
import type { EventReads } from './event.store.js';
import { costOfComparison, costOfRows } from './event-cost.js';
import type { ChooseLog, EventLog } from './event-log.js';
import type { OffsetPage } from './event-page.js';
import { addChangesToResponse, addToResponse, hasLargeResponse, rejectIfTooLarge } from './response-size.js';
import { estimateRows } from './rows-read.js';
import { releaseOnceWritten } from './written-events.js';

export type Context = Pick<RequestContext, 'caller' | 'signal' | 'log' | 'statistics' | 'isContinuation' | 'pageCharacters'>;

/**
 * Charges the caller for work beyond the cost of the operation, such as rows that are read but not returned. A charge `before`
 * the work rejects the operation if the budget does not suffice. A charge `after` the work deducts at most what is left.
 * @throws GatewayError TooManyRequestsError for a charge before the work
 */
export type ChargeReads = (context: Context, cost: number, when: 'before' | 'after') => Promise<void>;

/** The log as one field of an operation reads it. */
export interface OpenLog {
  readonly reads: EventReads;
  readonly totals: ReturnType<EventLog['totals']['withSignal']>;
  readonly tables: KeptTables;
  readonly giveWay: GiveWay;
  /** Returns the same reads with another signal, for work that several requests share. */
  withSignal(signal: AbortSignal): EventReads;
  /**
   * Counts events as part of the response (response-size.ts), and computes their `changes` if they are selected.
   * @param prefixes the prefixes of the paths of event fields, such as `nodes.`
   * @param isIncluded whether the cost of the operation includes the comparison of states for `changes`. True by default
   * @throws GatewayError BadDataError if the response would be too large, TooManyRequestsError if the budget does not suffice
   */
  readonly addEvents: (
    events: readonly Event[],
    selected: SelectedFields,
    prefixes: readonly string[],
    isIncluded?: boolean,
  ) => Promise<void>;
}

/** A list of at least this many events is heavy work: building the list from its rows delays other requests. */
const LONG_LIST = 500;

export type LogReader = ReturnType<typeof createLogReader>;

export function createLogReader(chooseLog: ChooseLog, charge: ChargeReads, inTurn: InTurn) {
  /**
   * Reads the log once it is the caller's turn (limits/in-turn.ts). Each field of an operation waits for a turn of its own.
   * @param isHeavy whether the field returns a long list
   */
  const readInTurn = <Result>(context: Context, isHeavy: boolean, work: (log: OpenLog) => Promise<Result>): Promise<Result> => {
    const { caller, signal } = context;
    return inTurn(caller.id, isHeavy, signal, async ({ giveWay, includeResponse }) => {
      rejectIfTooLarge(context);
      const { store, totals, tables } = await chooseLog();
      const addEvents: OpenLog['addEvents'] = async (events, selected, prefixes, isIncluded = true) => {
        releaseOnceWritten(context, events);
        addToResponse(context, events, selected, prefixes);
        if (!prefixes.some((prefix) => selected.has(`${prefix}changes`))) return;
        await charge(context, costOfComparison(events, isIncluded ? events.length : 0), 'before');
        await compareInSlices(events, giveWay, (changes) => addChangesToResponse(context, changes, selected, prefixes));
      };
      const { withSignal } = store;
      const reads = withSignal(signal);
      const log = { reads, totals: totals.withSignal(signal, reads), tables, giveWay, withSignal, addEvents };
      return work(log).finally(() => {
        // The response of an operation is written after its last field, which may be a short one. Each field therefore checks the
        // size of the response so far. If the response is large, the turn of the field includes the time to write it.
        if (hasLargeResponse(context)) includeResponse();
      });
    });
  };
  return {
    readInTurn,

    /** Reads the log for a search as `readInTurn` does. Also charges for the rows that the search reads but does not return. */
    searchInTurn: <Result>(
      context: Context,
      criteria: EventCriteria,
      page: OffsetPage | null,
      work: (log: OpenLog) => Promise<Result>,
    ): Promise<Result> =>
      readInTurn(context, (page?.limit ?? 0) >= LONG_LIST, async (log) => {
        const isCounted = log.totals.findRecent(criteria) !== null;
        await charge(context, costOfRows(await estimateRows(log, criteria, page)), 'before');
        const result = await work(log);
        const total = log.totals.findRecent(criteria);
        if (isCounted || total === null) return result;
        context.statistics.hasNewTotal = true;
        // The total was not cached, so PostgreSQL has read an index entry of each matching event. A free-text search was
        // already charged before the query, for the rows that PostgreSQL compares with the text.
        if (!criteria.text) await charge(context, costOfRows({ skipped: total }), 'after');
        return result;
      }),
  };
}
