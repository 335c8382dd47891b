import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { GatewayError } from '../errors.js';
import type { RequestContext } from '../request-context.js';
import type { BudgetState, RequestStatistics, Spending } from '../telemetry/request-statistics.js';
import { createCostOf, LEAST_COST } from './cost.js';
import { type ToGatewayError, toGraphqlError } from './format-error.js';

/** Marks the continuation of an accepted response. Compared by identity, so that no client can send it. */
export const CONTINUATION = Object.freeze({});

export interface CostLimits {
  /** What one operation may cost. */
  readonly maxCost: number;
  /** Whether what goes beyond is refused, or only noted in the log. */
  readonly isEnforced: boolean;
}

/** Takes a cost from what a caller may spend; what is owed, also where that is not enough. Null where there is no limit. */
export type Spend = (callerId: string, cost: number, isContinuation: boolean) => Promise<Spending | null>;

/** To find out that a request is refused: as much as some searches. */
const COST_OF_REFUSED = 100;

/** What is kept of who is charged, and for what. */
type Charged = Pick<RequestContext, 'statistics' | 'caller'>;

/** @param isContinuation whether it is for what was done already */
async function take(
  spend: Spend,
  cost: number,
  { statistics, caller }: Charged,
  isContinuation: boolean,
): Promise<Spending | null> {
  statistics.cost += cost;
  const spending = await spend(caller.id, cost, isContinuation);
  statistics.budget = spending?.budget ?? null;
  return spending;
}

/** Charges for a request that is refused before its operation is known. A database that is away is told by the next request that needs it. */
export async function chargeRefused(spend: Spend, statistics: Charged): Promise<void> {
  await take(spend, COST_OF_REFUSED, statistics, true).catch(() => undefined);
}

/** Of an operation's name, so much is in the log. */
export const MAX_NAME_LENGTH = 100;

/** Knows the cost of each operation before it runs, and refuses what is beyond the limit or the caller's budget. */
export function createCostLimit(
  schema: GraphQLSchema,
  { maxCost, isEnforced }: CostLimits,
  spend: Spend,
  toGatewayError: ToGatewayError,
): ApolloServerPlugin<RequestContext> {
  const costOf = createCostOf(schema);

  const charge = async (cost: number, context: RequestContext, isContinuation: boolean): Promise<void> => {
    const { log, statistics } = context;
    const refuse = (error: GatewayError) => {
      if (!isEnforced) return log.warn({ limit: error.message }, 'An operation exceeds a limit that is not enforced.');
      statistics.limit = error.limit;
      throw error;
    };
    if (cost > maxCost) {
      if (isEnforced) await chargeRefused(spend, context);
      refuse(tooCostly(cost, maxCost));
    }
    const spending = await take(spend, cost, context, isContinuation || !isEnforced);
    if (spending && !spending.isEnough && !isContinuation) refuse(overBudget(cost, spending.budget));
  };

  return {
    async requestDidStart({ request }) {
      const isAsked = request.extensions?.cost === true;
      let cost: number | null = null;
      let isResolved = false;
      return {
        async didResolveOperation({ queryHash, document, operation, operationName, request: { variables = {} }, contextValue }) {
          if (!operation) return;
          contextValue.statistics.operation = operationName?.slice(0, MAX_NAME_LENGTH) ?? null;
          contextValue.statistics.field = fieldOf(operation);
          try {
            cost = costOf({ queryHash, document, operation, operationName, variables });
            isResolved = true;
            await charge(cost ?? LEAST_COST, contextValue, request.extensions === CONTINUATION);
          } catch (thrown) {
            throw toGraphqlError(thrown instanceof GraphQLError ? wrongValue(thrown) : toGatewayError(thrown));
          }
        },
        async didEncounterErrors({ contextValue }) {
          if (isResolved) return;
          isResolved = true;
          await chargeRefused(spend, contextValue);
        },
        async willSendResponse({ response: { body }, contextValue: { statistics } }) {
          if (!isAsked || cost === null || body.kind !== 'single') return;
          body.singleResult.extensions = { ...body.singleResult.extensions, cost: toExtension(cost, maxCost, statistics) };
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

function wrongValue(error: GraphQLError): GatewayError {
  return new GatewayError('BadDataError', error.message, { cause: error });
}

function toExtension(cost: number, maxCost: number, { budget }: RequestStatistics) {
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
    { limit: 'operation_cost' },
  );
}

function overBudget(cost: number, { limit, remaining, resetMs }: BudgetState): GatewayError {
  return new GatewayError(
    'TooManyRequestsError',
    `The operation costs ${cost}, and your API token has ${remaining} left of the ${limit} that it may spend in a minute. Try again in ${Math.ceil(resetMs / 1000)} seconds.`,
    { limit: 'cost' },
  );
}

/** Of who has nothing left, whatever it is that is asked for. */
export function allSpent({ limit, resetMs }: BudgetState): GatewayError {
  return new GatewayError(
    'TooManyRequestsError',
    `Your API token has nothing left of the ${limit} that it may spend in a minute. Try again in ${Math.ceil(resetMs / 1000)} seconds.`,
    { limit: 'cost' },
  );
}
