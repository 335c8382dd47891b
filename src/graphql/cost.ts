import { type DocumentNode, GraphQLError, type GraphQLSchema, getNamedType, isCompositeType } from 'graphql';
import { type ComplexityEstimator, fieldExtensionsEstimator, getComplexity } from 'graphql-query-complexity';
import { LRUCache } from 'lru-cache';

export interface CostedOperation {
  readonly queryHash: string;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Costs that are kept. */
const MAX_KNOWN = 5_000;

/** Of what is kept beside a cost; long lists are counted each time. */
const MAX_KEY_LENGTH = 200;

/** An object costs one, with what is in it; a value costs nothing: it is read with its object. */
const costOfObject: ComplexityEstimator = ({ field, childComplexity }) =>
  isCompositeType(getNamedType(field.type)) ? 1 + childComplexity : 0;

const ESTIMATORS = [fieldExtensionsEstimator(), costOfObject];

/**
 * What an operation asks for, known before it runs: fields say what they cost (`complexity`), mostly by the size of the page.
 * @returns null where its variables are wrong, which executing it tells better
 */
export function createCostOf(schema: GraphQLSchema): (operation: CostedOperation) => number | null {
  const known = new LRUCache<string, number>({ max: MAX_KNOWN });
  return ({ queryHash, document, operationName, variables }) => {
    const sizes = sizesIn(variables);
    const key = `${queryHash} ${operationName ?? ''} ${sizes}`;
    const cost = known.get(key) ?? compute(schema, document, operationName, variables);
    if (cost !== null && sizes.length <= MAX_KEY_LENGTH) known.set(key, cost);
    return cost;
  };
}

function compute(
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | null,
  variables: Readonly<Record<string, unknown>>,
): number | null {
  try {
    return getComplexity({
      schema,
      query,
      variables,
      estimators: ESTIMATORS,
      ...(operationName !== null && { operationName }),
    });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return null;
  }
}

/** All of the variables that a cost can depend on: of a text, whether it is there. */
function sizesIn(variables: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(variables, (_, value: unknown) => (typeof value === 'string' ? value !== '' : value));
}
