import type { ApolloServerPlugin } from '@apollo/server';
import { type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { GatewayError } from '../errors.js';
import type { BudgetState, RequestAccount, Spending } from '../request-account.js';
import type { GatewayContext } from './context.js';
import { createCostOf } from './cost.js';
import { type ToGatewayError, toGraphqlError } from './format-error.js';

export interface CostLimits {
  /** What one operation may cost. */
  readonly maxCost: number;
  /** Whether what goes beyond is refused, or only noted in the log. */
  readonly isEnforced: boolean;
}

/** Takes a cost from what a caller may spend; null where there is no limit. */
export type Spend = (callerId: string, cost: number) => Promise<Spending | null>;

/** Knows the cost of each operation before it runs, and refuses what is beyond the limit or the caller's budget. */
export function createCostLimit(
  schema: GraphQLSchema,
  { maxCost, isEnforced }: CostLimits,
  spend: Spend,
  toGatewayError: ToGatewayError,
): ApolloServerPlugin<GatewayContext> {
  const costOf = createCostOf(schema);

  const charge = async (cost: number, { account, caller, log }: GatewayContext): Promise<void> => {
    account.cost += cost;
    const refuse = (error: GatewayError) => {
      if (isEnforced) throw error;
      log.info({ limit: error.message }, 'beyond a limit that is not enforced');
    };
    if (cost > maxCost) refuse(tooCostly(cost, maxCost));
    const spending = await spend(caller.id, cost);
    account.budget = spending?.budget ?? null;
    if (spending && !spending.isEnough) refuse(overBudget(cost, spending.budget));
  };

  return {
    async requestDidStart({ request }) {
      const isAsked = request.extensions?.cost === true;
      let cost: number | null = null;
      return {
        async didResolveOperation({ queryHash, document, operation, operationName, request: { variables = {} }, contextValue }) {
          if (!operation) return;
          contextValue.account.operation = operationName;
          contextValue.account.field = fieldOf(operation);
          cost = costOf({ queryHash, document, operationName, variables });
          if (cost === null) return;
          await charge(cost, contextValue).catch((thrown: unknown) => {
            throw toGraphqlError(toGatewayError(thrown));
          });
        },
        async willSendResponse({ response: { body }, contextValue: { account } }) {
          if (!isAsked || cost === null || body.kind !== 'single') return;
          body.singleResult.extensions = { ...body.singleResult.extensions, cost: toExtension(cost, maxCost, account) };
        },
      };
    },
  };
}

function fieldOf({ selectionSet: { selections } }: OperationDefinitionNode): string {
  const names = new Set(selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : 'several')));
  const [name] = names;
  return name !== undefined && names.size === 1 ? name : 'several';
}

function toExtension(cost: number, maxCost: number, { budget }: RequestAccount) {
  return {
    cost,
    maxCost,
    budget: budget && { limit: budget.limit, remaining: budget.remaining, resetSeconds: Math.ceil(budget.resetMs / 1000) },
  };
}

function tooCostly(cost: number, maxCost: number): GatewayError {
  return new GatewayError(
    'BadDataError',
    `The operation costs ${cost}, more than the ${maxCost} that one may cost here. Ask for smaller pages, or for less at a time.`,
  );
}

function overBudget(cost: number, { limit, remaining, resetMs }: BudgetState): GatewayError {
  return new GatewayError(
    'TooManyRequestsError',
    `The operation costs ${cost}, and your API token has ${remaining} left of the ${limit} that it may spend in a minute. Try again in ${Math.ceil(resetMs / 1000)} seconds.`,
  );
}
