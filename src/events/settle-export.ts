import { createSlots } from '../limits/slots.js';
import type { EventLog } from './event-log.js';
import type { Context } from './log-reader.js';

/** The id up to which the log is complete, and the position up to which late events are complete (event-feed/feed-end.ts). */
export interface SettledLog {
  readonly upTo: number;
  readonly late: number;
}

export type SettleExport = ReturnType<typeof createSettleExport>;

/**
 * The most exports of one caller that may wait until the log is complete. Then all continue at once. Meanwhile, other fields of
 * their operations may hold responses of many megabytes.
 */
const MAX_SETTLING = 8;

/**
 * Creates the function that waits until the log is complete up to an id, so that open transactions can add no more events at or
 * below the id (log-version/settle-log.ts). The wait can take seconds, so it holds no turn of the fair queue.
 *
 * The function asks the primary, which knows the open transactions. A replica is read only if it has all commits that the primary
 * had before the read (replicas.ts), so its events up to that id are complete as well.
 */
export function createSettleExport({ totals }: Pick<EventLog, 'totals'>) {
  const slots = createSlots({ perCaller: MAX_SETTLING, total: Number.POSITIVE_INFINITY }, 'exports');

  /** @param isKnown whether an earlier page of the same export has checked `wanted` */
  return async ({ caller, signal }: Context, wanted: number | null, isKnown: boolean): Promise<SettledLog> => {
    if (isKnown && wanted !== null && totals.isSettled(wanted)) return { upTo: wanted, late: totals.findLate() };
    const release = slots.take(caller.id);
    const upTo = await totals.settle(wanted, signal).finally(release);
    return { upTo, late: totals.findLate() };
  };
}
