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
import { toOperationKey } from './operation-key.js';

export interface CostedOperation {
  readonly queryHash: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Costs that are kept. */
const MAX_KNOWN = 5_000;

/** Of what is kept beside a cost; long lists are counted each time. */
const MAX_KEY_LENGTH = 200;

/** Whatever it asks for, there is an answer to make. */
export const LEAST_COST = 1;

/** An object costs one, with what is in it; a value costs nothing: it is read with its object. */
const costOfObject: ComplexityEstimator = ({ field, childComplexity }) =>
  isCompositeType(getNamedType(field.type)) ? 1 + childComplexity : 0;

const ESTIMATORS = [fieldExtensionsEstimator(), costOfObject];

/**
 * What an operation asks for, known before it runs: fields say what they cost (`complexity`), mostly by the size of the page.
 * @returns null where its variables are wrong: then nothing runs, and executing it tells what is wrong
 * @throws GraphQLError where a value is wrong that is only looked at in its place, as a null that comes by a default: beside it, others would run
 */
export function createCostOf(schema: GraphQLSchema): (operation: CostedOperation) => number | null {
  const known = new LRUCache<string, number>({ max: MAX_KNOWN });
  return (costed) => {
    const sizes = sizesIn(costed.variables);
    const key = `${toOperationKey(costed.queryHash, costed.operationName)} ${sizes}`;
    const cost = known.get(key) ?? compute(schema, costed);
    if (cost !== null && sizes.length <= MAX_KEY_LENGTH) known.set(key, cost);
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

/** All of the variables that a cost can depend on: of a text, whether it is there. */
function sizesIn(variables: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(variables, (_, value: unknown) => (typeof value === 'string' ? value !== '' : value));
}
