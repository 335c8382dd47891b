import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isCompositeType,
  type OperationDefinitionNode,
} from 'graphql';
import { type ComplexityEstimator, fieldExtensionsEstimator, getComplexity } from 'graphql-query-complexity';
import { LRUCache } from 'lru-cache';
import { MAX_INT } from '../formats/integer.js';
import { toOperationKey } from './operation-key.js';

export interface CostedOperation {
  readonly queryHash: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The most costs in the cache. */
const MAX_CACHED = 5_000;

/** The most characters of variables in a cache key. For longer variables, the cost is computed each time. */
const MAX_KEY_LENGTH = 200;

/** Every operation costs at least this, since it needs a response. */
export const LEAST_COST = 1;

/**
 * Estimates the cost of a field that declares no `complexity` (events/event-cost.ts). An object costs one plus the cost of its
 * fields. A scalar costs nothing, since it is read with its object. cost-limit.ts charges the sum.
 */
const costOfObject: ComplexityEstimator = ({ field, childComplexity }) =>
  isCompositeType(getNamedType(field.type)) ? 1 + childComplexity : 0;

const ESTIMATORS = [fieldExtensionsEstimator(), costOfObject];

/**
 * Creates a function that computes the cost of an operation before it runs. Fields declare their cost (`complexity`), mostly by
 * the size of the page. If the variables are not valid, the operation fails before any field runs, and the function returns null.
 * If a value is not valid for its argument, such as null for a non-null argument, the other fields would still run. The function
 * then throws a GraphQLError.
 * @param largestPage the largest page of any field. Larger numbers in an argument must not change the cost
 */
export function createCostOf(schema: GraphQLSchema, largestPage: number): (operation: CostedOperation) => number | null {
  const cached = new LRUCache<string, number>({ max: MAX_CACHED });
  return (costed) => {
    const sizes = toSizesKey(costed.variables, largestPage);
    const key = `${toOperationKey(costed.queryHash, costed.operationName)} ${sizes}`;
    const cost = cached.get(key) ?? compute(schema, costed);
    if (cost !== null && sizes.length <= MAX_KEY_LENGTH) cached.set(key, cost);
    return cost;
  };
}

function compute(schema: GraphQLSchema, { document, operation, operationName, variables }: CostedOperation): number | null {
  if (getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 }).errors) return null;
  const cost = getComplexity({
    schema,
    query: document,
    variables,
    estimators: ESTIMATORS,
    ...(operationName !== null && { operationName }),
  });
  return Math.max(LEAST_COST, cost);
}

/**
 * Returns the part of the variables on which a cost can depend. All strings that are not empty are equal here, and so are all
 * integers from the largest page on. Otherwise, each page of an export would add an entry to the cache.
 */
function toSizesKey(variables: Readonly<Record<string, unknown>>, largestPage: number): string {
  return JSON.stringify(variables, (_, value: unknown) => {
    if (typeof value === 'string') return value !== '';
    return Number.isInteger(value) && (value as number) <= MAX_INT ? Math.min(value as number, largestPage) : value;
  });
}
