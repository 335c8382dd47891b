/** A caller's budget for operations in the current minute. cost-budgets.ts stores it, and graphql/cost-limit.ts enforces it. */
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
