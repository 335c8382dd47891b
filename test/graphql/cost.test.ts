import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  buildSchema,
  GraphQLInt,
  GraphQLObjectType,
  getNamedType,
  getOperationAST,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import type { FieldCost } from '../../src/events/event-cost.js';
import { MAX_LIMIT } from '../../src/events/event-page.js';
import { MAX_INT } from '../../src/formats/integer.js';
import { createGatewaySchema, type Services } from '../../src/gateway-schema.js';
import { createCostOf } from '../../src/graphql/cost.js';

interface SearchCost {
  readonly args: { readonly first?: number | null; readonly query?: string | null };
  readonly childComplexity: number;
}

const LARGEST_PAGE = 20;

/** A search costs five (ten with a text), plus the cost of its selection for each event of the page. */
const costOfSearch = jest.fn(({ args: { first, query }, childComplexity }: SearchCost) => {
  return (query ? 10 : 5) + Math.min(first ?? 1, LARGEST_PAGE) * childComplexity;
});

const schema = buildSchema(`
  type Query { search(first: Int, query: String, ids: [Int!]): [Event!], event: Event, version: String, kind: Kind, one(n: Int!): Int }
  type Event { id: Int, parent: Event }
  enum Kind { A }
`);
const search = (schema.getType('Query') as GraphQLObjectType).getFields().search;
if (search) search.extensions = { complexity: costOfSearch };

function start() {
  const costOf = createCostOf(schema, LARGEST_PAGE);
  return (query: string, variables: Record<string, unknown> = {}, operationName: string | null = null) => {
    const document = parse(query);
    const operation = getOperationAST(document, operationName) as OperationDefinitionNode;
    return costOf({ queryHash: query, document, operation, operationName, variables });
  };
}

beforeEach(() => void costOfSearch.mockClear());

describe('the cost of an operation', () => {
  test.each([
    ['{ version kind __typename }', 1],
    ['{ event { id } }', 1],
    ['{ event { parent { parent { id } } } }', 3],
    ['{ search { id } }', 5],
    ['{ search(first: 7) { parent { id } } }', 5 + 7],
    ['{ search(query: "x") { id } event { id } }', 10 + 1],
  ])('%s → %i', (query, cost) => {
    expect(start()(query)).toBe(cost);
  });

  test('other variables → another cost; a text → the same cost unless it is empty', () => {
    const costOf = start();
    const query = 'query ($first: Int, $query: String) { search(first: $first, query: $query) { parent { id } } }';
    expect(costOf(query, { first: 2 })).toBe(5 + 2);
    expect(costOf(query, { first: 3 })).toBe(5 + 3);
    expect(costOf(query, { first: 3, query: 'x' })).toBe(10 + 3);
    expect(costOf(query, { first: 3, query: '' })).toBe(5 + 3);
    expect(costOf(query, { first: 3, query: null })).toBe(5 + 3);
  });

  test('null for a variable with a default → an error, so that the rest does not run for nothing', () => {
    const costOf = start();
    const query = 'query ($n: Int = 1) { one(n: $n) search(first: 7) { parent { id } } }';
    expect(costOf(query)).toBe(5 + 7);
    expect(() => costOf(query, { n: null })).toThrow(/"n" of non-null type "Int!" must not be null/);
    const included = 'query ($if: Boolean = true) { search(first: 7) { parent @include(if: $if) { id } } }';
    expect(costOf(included)).toBe(5 + 7);
    expect(() => costOf(included, { if: null })).toThrow(/"if" of non-null type "Boolean!" must not be null/);
  });

  test('several operations → the cost of the named one', () => {
    const costOf = start();
    const query = 'query A { event { id } } query B { event { parent { id } } }';
    expect(costOf(query, {}, 'A')).toBe(1);
    expect(costOf(query, {}, 'B')).toBe(2);
  });

  test.each([{ first: 'many' }, { first: 1.5 }])('wrong variables (%j) → null', (variables) => {
    expect(start()('query ($first: Int) { search(first: $first) { id } }', variables)).toBeNull();
  });

  test('a bug in a cost function → thrown', () => {
    costOfSearch.mockImplementationOnce(() => {
      throw new TypeError('broken');
    });
    expect(() => start()('{ search { id } }')).toThrow(TypeError);
  });
});

test('a number above the largest page → no field of the gateway costs more or less', () => {
  const gateway = createGatewaySchema({ events: {}, eventCounts: {}, eventFeed: {}, signupTokens: {} } as Services);
  const types = Object.values(gateway.getTypeMap()).filter((type) => isObjectType(type));
  const numeric = types
    .flatMap((type) => Object.values(type.getFields()))
    .flatMap((field) => field.args.filter(({ type }) => getNamedType(type) === GraphQLInt).map(({ name }) => ({ field, name })));
  expect(numeric.map(({ name }) => name)).toEqual(expect.arrayContaining(['limit', 'offset', 'first', 'last', 'after', 'upTo']));
  for (const { field, name } of numeric) {
    const costOf = field.extensions.complexity as ((cost: FieldCost<object>) => number) | undefined;
    const [most, more] = [MAX_LIMIT, MAX_INT].map((value) => costOf?.({ args: { [name]: value }, childComplexity: 1 }));
    expect({ field: field.name, name, cost: more }).toEqual({ field: field.name, name, cost: most });
  }
});

describe('cached costs', () => {
  const query = 'query ($query: String, $ids: [Int!]) { search(query: $query, ids: $ids) { id } }';

  test('other texts → computed once; another document → computed again', () => {
    const costOf = start();
    for (const text of ['x', 'y', 'z']) costOf(query, { query: text });
    expect(costOfSearch).toHaveBeenCalledTimes(1);
    costOf(`${query} # another`, { query: 'x' });
    expect(costOfSearch).toHaveBeenCalledTimes(2);
  });

  test('other numbers above the largest page → computed once', () => {
    const costOf = start();
    const page = 'query ($first: Int) { search(first: $first) { parent { id } } }';
    for (const first of [LARGEST_PAGE, LARGEST_PAGE + 1, MAX_INT]) expect(costOf(page, { first })).toBe(5 + LARGEST_PAGE);
    expect(costOfSearch).toHaveBeenCalledTimes(1);
    expect(costOf(page, { first: LARGEST_PAGE - 1 })).toBe(5 + LARGEST_PAGE - 1);
    for (const first of [MAX_INT + 1, LARGEST_PAGE + 0.5]) expect(costOf(page, { first })).toBeNull();
  });

  test('variables of more than 200 characters → not cached', () => {
    const costOf = start();
    const countComputations = (ids: readonly number[]) => {
      costOfSearch.mockClear();
      for (let n = 0; n < 2; n += 1) costOf(query, { ids });
      return costOfSearch.mock.calls.length;
    };
    // The limit applies to the variables as JSON.
    const ids = [10, ...Array(94).fill(1)];
    expect(JSON.stringify({ ids })).toHaveLength(200);
    expect(countComputations(ids)).toBe(1);
    expect(countComputations([...ids, 1])).toBe(2);
  });
});
