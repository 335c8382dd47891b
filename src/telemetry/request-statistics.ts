/** What a caller may still spend on queries. */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** What came of taking a cost from a budget: whether it was enough, and what is left. */
export interface Spending {
  readonly isEnough: boolean;
  readonly budget: BudgetState;
}

/** What becomes known of a request while it is answered, for its headers, its line in the log and the metrics. */
export interface RequestStatistics {
  /** The name of the operation, where the document gives it one; of several documents, the last. */
  operation: string | null;
  /** The one field of the schema that it asks for, `several`, or null where no document ran. */
  field: string | null;
  /** Of all its documents, in units of the cost limit. */
  cost: number;
  /** Null until something was spent, and where there is no limit. */
  budget: BudgetState | null;
}

export function createStatistics(): RequestStatistics {
  return { operation: null, field: null, cost: 0, budget: null };
}
