/** The budget of a caller for the cost of operations, in the current minute. cost-budgets.ts keeps it, graphql/cost-limit.ts refuses. */
export interface BudgetState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** The result of deducting a cost from a budget: whether the budget was sufficient, and its remaining state. */
export interface Spending {
  readonly isEnough: boolean;
  readonly budget: BudgetState;
}
