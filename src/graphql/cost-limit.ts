import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { GatewayError } from '../errors.js';
import type { BudgetState, Spending } from '../limits/budgets.js';
import type { RequestContext } from '../request-context.js';
import { MAX_NAME_LENGTH, type RequestStatistics } from '../telemetry/request-statistics.js';
import type { ToGatewayError } from '../to-gateway-error.js';
import { type CostedOperation, createCostOf, LEAST_COST } from './cost.js';
import { toGraphqlError } from './format-error.js';

export interface CostLimits {
  /** The highest cost of one operation. */
  readonly maxCost: number;
  /** Whether an operation over a limit is rejected, or only logged. */
  readonly isEnforced: boolean;
}

/**
 * Deducts `cost` from the caller's budget. If the budget is too small, deducts nothing, or with `takesRest` what is left.
 * Returns null if there is no limit.
 */
export type Spend = (callerId: string, cost: number, takesRest: boolean) => Promise<Spending | null>;

/** The cost of a rejected request. The work before the rejection takes as long as a few searches. */
const COST_OF_REJECTED = 100;

const NOT_ENFORCED = 'An operation exceeds a limit that is not enforced.';

/** The part of a request's context that is needed to charge its caller. */
type Charged = Pick<RequestContext, 'statistics' | 'caller' | 'isContinuation'>;

/** Deducts a cost and records it. @param takesRest whether to deduct what is left of a budget that is too small */
async function take(spend: Spend, cost: number, { statistics, caller }: Charged, takesRest: boolean): Promise<Spending | null> {
  const spending = await spend(caller.id, cost, takesRest);
  if (!spending || spending.isEnough || takesRest) statistics.cost += cost;
  statistics.budget = spending?.budget ?? null;
  return spending;
}

/** Charges a fixed cost for a rejected request. Ignores errors, because the caller gets the error of the rejection. */
export async function chargeRejected(spend: Spend, charged: Charged): Promise<void> {
  await take(spend, COST_OF_REJECTED, charged, true).catch(() => undefined);
}

/** Computes and charges the cost of operations before they run. */
export type OperationCosts = ReturnType<typeof createOperationCosts>;

export function createOperationCosts(schema: GraphQLSchema, limits: CostLimits, largestPage: number, spend: Spend) {
  const { maxCost, isEnforced } = limits;
  const costOf = createCostOf(schema, largestPage);
  return {
    maxCost,

    /**
     * Returns the cost of an operation; null if its variables are not valid. Records the name and the root field.
     * @throws GatewayError BadDataError if a value is not valid for its argument, such as null for a non-null argument
     */
    find(costed: CostedOperation, { statistics }: RequestContext): number | null {
      statistics.operation = costed.operationName?.slice(0, MAX_NAME_LENGTH) ?? null;
      statistics.field = fieldOf(costed.operation);
      try {
        return costOf(costed);
      } catch (thrown) {
        throw thrown instanceof GraphQLError ? wrongValue(thrown) : thrown;
      }
    },

    /**
     * Charges the caller for an operation.
     * @param found the cost; null if the variables are not valid
     * @throws GatewayError if the cost is over the limit or the caller's budget
     */
    async charge(found: number | null, context: RequestContext): Promise<void> {
      const cost = found ?? LEAST_COST;
      if (cost > maxCost) {
        if (isEnforced) await chargeRejected(spend, context);
        rejectOrWarn(tooCostly(cost, maxCost), context, isEnforced);
      }
      await deductOrReject(spend, cost, context, isEnforced);
    },
  };
}

/** Charges for each operation that Apollo Server runs, and reports its cost to a client that asks for it. */
export function createCostLimit(
  costs: OperationCosts,
  spend: Spend,
  toGatewayError: ToGatewayError,
): ApolloServerPlugin<RequestContext> {
  return {
    async requestDidStart({ request }) {
      const isCostRequested = request.extensions?.cost === true;
      let cost: number | null = null;
      let isFound = false;
      return {
        async didResolveOperation({ queryHash, document, operation, operationName, request: { variables = {} }, contextValue }) {
          if (!operation) return;
          try {
            cost = costs.find({ queryHash, document, operation, operationName, variables }, contextValue);
            isFound = true;
            await costs.charge(cost, contextValue);
          } catch (thrown) {
            throw toGraphqlError(toGatewayError(thrown));
          }
        },
        async didEncounterErrors({ contextValue }) {
          if (isFound) return;
          isFound = true;
          await chargeRejected(spend, contextValue);
        },
        async willSendResponse({ response: { body }, contextValue: { statistics } }) {
          if (!isCostRequested || cost === null || body.kind !== 'single') return;
          body.singleResult.extensions = { ...body.singleResult.extensions, cost: toExtension(cost, costs.maxCost, statistics) };
        },
      };
    },
  };
}

/**
 * Returns a function that charges for work that only a running operation can measure, such as rows to compare with a text. If the
 * budget does not suffice, a charge `before` the work rejects the operation. A charge `after` the work deducts what is left.
 * @param most the highest cost of one charge, so that the budget of a minute suffices for several operations with much work
 */
export function createWorkCharge(spend: Spend, isEnforced: boolean, most: number) {
  return async (charged: Charged & Pick<RequestContext, 'log'>, cost: number, when: 'before' | 'after'): Promise<void> => {
    if (cost <= 0) return;
    if (when === 'after') await take(spend, Math.min(cost, most), charged, true);
    else await deductOrReject(spend, Math.min(cost, most), charged, isEnforced);
  };
}

/**
 * Deducts a cost. A further page of an accepted response is never rejected: if the budget does not suffice, all that is left
 * is deducted.
 * @throws GatewayError TooManyRequestsError if the budget does not suffice and the limit is enforced
 */
async function deductOrReject(
  spend: Spend,
  cost: number,
  charged: Charged & Pick<RequestContext, 'log'>,
  isEnforced: boolean,
): Promise<void> {
  const takesRest = charged.isContinuation === true || !isEnforced;
  const spending = await take(spend, cost, charged, takesRest);
  if (spending && !spending.isEnough && !charged.isContinuation)
    rejectOrWarn(overBudget(cost, spending.budget), charged, isEnforced);
}

function rejectOrWarn(
  error: GatewayError,
  { log, statistics }: Pick<RequestContext, 'log' | 'statistics'>,
  isEnforced: boolean,
): void {
  if (isEnforced) {
    statistics.limit = error.limit;
    throw error;
  }
  log.warn({ limit: error.message }, NOT_ENFORCED);
}

function fieldOf({ selectionSet: { selections } }: OperationDefinitionNode): string {
  const names = new Set(selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : 'several')));
  const [name] = names;
  return name !== undefined && names.size === 1 ? name : 'several';
}

function wrongValue(error: GraphQLError): GatewayError {
  return new GatewayError('BadDataError', error.message, { cause: error });
}

/** @returns `cost`, which was known before the operation ran, and `charged`, which includes the cost of rows that it read */
function toExtension(cost: number, maxCost: number, { budget, cost: charged }: RequestStatistics) {
  return {
    cost,
    maxCost,
    charged,
    budget: budget && { limit: budget.limit, remaining: budget.remaining, resetSeconds: Math.ceil(budget.resetMs / 1000) },
  };
}

function tooCostly(cost: number, maxCost: number): GatewayError {
  return new GatewayError(
    'BadDataError',
    `The operation costs ${cost}, more than the limit of ${maxCost} for one operation. Request smaller pages or fewer fields.`,
    { limit: 'request' },
  );
}

/** @param cost the cost of the operation; null before the operation is known */
export function overBudget(cost: number | null, { limit, remaining, resetMs }: BudgetState): GatewayError {
  const budget = `budget of ${limit} per minute`;
  const problem =
    cost === null
      ? `You have nothing left of your ${budget}.`
      : `The operation costs ${cost}, but you have ${remaining} left of your ${budget}.`;
  const message = `${problem} Try again in ${Math.ceil(resetMs / 1000)} seconds.`;
  return new GatewayError('TooManyRequestsError', message, { limit: 'cost' });
}
