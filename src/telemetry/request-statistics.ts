import type { Limit } from '../errors.js';
import type { BudgetState } from '../limits/budgets.js';

/** The number of characters to which the name of an operation is cut in the log. */
export const MAX_NAME_LENGTH = 100;

/** Data that is collected while a request runs, for the response headers, the log and the metrics. */
export interface RequestStatistics {
  /** The name of the operation, if it has one. If the request runs several documents, the name is that of the last one. */
  operation: string | null;
  /** The one root field of the operation, or `several`; null before an operation is known. */
  field: string | null;
  /** The cost of all documents of the request, in units of the cost limit. */
  cost: number;
  /** Whether the request computed a total or a table of counts that was not cached. The same request costs less a second time. */
  hasNewTotal: boolean;
  /** The state of the caller's budget; null before the first charge or rejection, and if there is no limit. */
  budget: BudgetState | null;
  /** The limit that rejected the request, if one did. */
  limit: Limit | null;
}

export function createStatistics(): RequestStatistics {
  return { operation: null, field: null, cost: 0, hasNewTotal: false, budget: null, limit: null };
}
