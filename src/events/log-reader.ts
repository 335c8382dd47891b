import type { KeptTables } from '../event-counts/kept-tables.js';
import type { GiveWay, InTurn } from '../limits/fair-queue.js';
import type { EpochCount } from '../log-version/version.js';
import type { RequestContext } from '../request-context.js';
import type { EventCriteria } from './event.js';
import type { EventReads } from './event.store.js';
import { costOfRows } from './event-cost.js';
import type { ChooseLog, EventLog } from './event-log.js';
import type { OffsetPage } from './event-page.js';
import { estimateRows } from './rows-read.js';

export type Context = Pick<RequestContext, 'caller' | 'signal' | 'log' | 'statistics'>;

/**
 * Charges the caller for rows that an operation reads beyond those it returns.
 * @throws GatewayError TooManyRequestsError if the budget does not suffice before they are read
 */
export type ChargeReads = (context: Context, cost: number, when: 'before' | 'after') => Promise<void>;

/** The log as one field of an operation reads it. */
export interface OpenLog {
  readonly reads: EventReads;
  readonly totals: ReturnType<EventLog['totals']['withSignal']>;
  readonly tables: KeptTables;
  /** Returns the same reads with another signal, for work that several requests share. */
  withSignal(signal: AbortSignal): EventReads;
}

/** From this number of events on, the work of a list after its query delays other requests, too. */
const LONG_LIST = 500;

export function createLogReader(chooseLog: ChooseLog, charge: ChargeReads, inTurn: InTurn) {
  /**
   * Reads the log in the caller's turn, for which each field of an operation waits.
   * @param isHeavy whether it runs two queries at once, or returns a long list
   */
  const readInTurn = <Result>(
    { caller, signal }: Context,
    isHeavy: boolean,
    work: (log: OpenLog, giveWay: GiveWay) => Promise<Result>,
  ): Promise<Result> =>
    inTurn(caller.id, isHeavy, signal, async (giveWay) => {
      const { store, totals, tables } = await chooseLog();
      const reads = store.withSignal(signal);
      return work({ reads, totals: totals.withSignal(signal), tables, withSignal: store.withSignal }, giveWay);
    });
  return {
    readInTurn,

    /** The same for a search, which is also charged for the rows that it reads beyond those it returns. */
    searchInTurn: <Result>(
      context: Context,
      criteria: EventCriteria,
      page: OffsetPage | null,
      work: (log: OpenLog) => Promise<Result>,
      hasTwoQueries = false,
    ): Promise<Result> =>
      readInTurn(context, hasTwoQueries || (page?.limit ?? 0) >= LONG_LIST, async (log) => {
        const isCounted = log.totals.findRecent(criteria) !== null;
        await charge(context, costOfRows(await estimateRows(log, criteria, page)), 'before');
        const result = await work(log);
        // A total that was not cached has read the entries of all these events in an index.
        if (!isCounted && !criteria.text)
          await charge(context, costOfRows({ skipped: log.totals.findRecent(criteria) ?? 0 }), 'after');
        return result;
      }),

    /** Counts the whole log, once for all requests that arrive together. */
    async countAllInTurn({ caller, signal }: Context): Promise<EpochCount> {
      return inTurn(caller.id, false, signal, async () => (await chooseLog()).totals.countAll());
    },
  };
}
