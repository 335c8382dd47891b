import { ApolloServer } from '@apollo/server';
import { describe, expect, jest, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Caller } from '../../src/auth/caller.js';
import { GatewayError } from '../../src/errors.js';
import { createCostLimit, createOperationCosts, createWorkCharge, overBudget, type Spend } from '../../src/graphql/cost-limit.js';
import type { RequestContext } from '../../src/request-context.js';
import { createStatistics, MAX_NAME_LENGTH } from '../../src/telemetry/request-statistics.js';

const schema = buildSchema(`
  type Query { event: Event, other: Event }
  type Mutation { add: Event }
  type Event { id: Int, parent: Event }
`);
const caller: Caller = { id: 'caller', name: 'a', email: null, userId: null, role: 'VIEWER', projects: 'all', expiresAt: null };
const BUDGET = { limit: 100, remaining: 40, resetMs: 1_500 };
const COST_OF_EVENT = 1;
const EVENT = '{ event { id } }';

interface RunOptions {
  readonly isEnforced?: boolean;
  readonly maxCost?: number;
  readonly spend?: Spend;
  readonly extensions?: Record<string, unknown>;
  readonly operationName?: string;
  readonly variables?: Record<string, unknown>;
}

const createContext = () => ({
  caller,
  log: { info: jest.fn(), warn: jest.fn(), error: jest.fn() },
  signal: new AbortController().signal,
  statistics: createStatistics(),
});

async function run(query: string, { isEnforced = true, maxCost = 2, spend = async () => null, ...request }: RunOptions = {}) {
  const spent = jest.fn(spend);
  const masked = jest.fn((thrown: unknown) =>
    thrown instanceof GatewayError ? thrown : new GatewayError('InternalError', 'masked'),
  );
  const context = createContext();
  const apollo = new ApolloServer<RequestContext>({
    schema,
    plugins: [createCostLimit(createOperationCosts(schema, { maxCost, isEnforced }, 1, spent), spent, masked)],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const { body } = await apollo.executeOperation({ query, ...request }, { contextValue: context });
  await apollo.stop();
  if (body.kind !== 'single') throw new Error('the response has several parts');
  const { data, errors = [], extensions } = body.singleResult;
  return {
    data,
    extensions,
    messages: errors.map(({ message }) => message),
    statistics: context.statistics,
    warnings: jest.mocked(context.log.warn).mock.calls,
    spent: spent.mock.calls,
    status: errors[0]?.extensions?.http,
  };
}

describe('an operation', () => {
  test('within the budget → charged to its caller before it runs', async () => {
    const spend = async () => ({ isEnough: true, budget: BUDGET });
    const { data, statistics, spent, warnings } = await run(EVENT, { spend });
    expect(data).toEqual({ event: null });
    expect(spent).toEqual([['caller', COST_OF_EVENT, false]]);
    expect(statistics).toMatchObject({ cost: COST_OF_EVENT, budget: BUDGET });
    expect(warnings).toEqual([]);
  });

  test('at the limit → runs; beyond the limit → rejected and charged', async () => {
    expect(await run(EVENT, { maxCost: 1 })).toMatchObject({ messages: [], statistics: { budget: null } });
    const rejected = await run('{ event { parent { id } } }', { maxCost: 1 });
    expect(rejected).toMatchObject({
      messages: [expect.stringMatching(/^The operation costs 2, more than the limit of 1 /)],
      spent: [['caller', 100, true]],
      statistics: { limit: 'request' },
    });
    expect(rejected.data).toBeUndefined();
  });

  test('beyond the budget → rejected with the time to try again', async () => {
    const spend = async () => ({ isEnough: false, budget: BUDGET });
    const { data, messages, statistics } = await run(EVENT, { spend });
    expect(data).toBeUndefined();
    expect(statistics).toMatchObject({ cost: 0, limit: 'cost' });
    expect(messages).toEqual([
      expect.stringMatching(/^The operation costs 1, .* 40 left of your budget of 100 .* in 2 seconds\.$/),
    ]);
    expect(statistics.budget).toEqual(BUDGET);
  });

  test('beyond limits that are not enforced → runs, with warnings in the log', async () => {
    const spend = async () => ({ isEnough: false, budget: BUDGET });
    const { data, warnings, spent } = await run(EVENT, { isEnforced: false, maxCost: 0, spend });
    expect(data).toEqual({ event: null });
    expect(spent).toHaveLength(1);
    expect(warnings).toEqual(
      [/more than the limit of 0/, /40 left of your budget of 100/].map((limit) => [
        { limit: expect.stringMatching(limit) },
        expect.stringContaining('not enforced'),
      ]),
    );
  });

  test('the budget cannot be read → not run', async () => {
    const { data, messages } = await run(EVENT, { spend: () => Promise.reject(new Error('unavailable')) });
    expect({ data, messages }).toEqual({ data: undefined, messages: ['masked'] });
  });

  test('a continuation beyond the budget → charged, not rejected', async () => {
    const spend = async () => ({ isEnough: false, budget: BUDGET });
    const spent = jest.fn<Spend>(spend);
    const context = createContext();
    await createOperationCosts(schema, { maxCost: 2, isEnforced: true }, 1, spent).charge(COST_OF_EVENT, {
      ...context,
      isContinuation: true,
    });
    expect(spent.mock.calls).toEqual([['caller', COST_OF_EVENT, true]]);
    expect(context.log.warn).not.toHaveBeenCalled();
  });

  test.each([
    ['that is not a document', '{'],
    ['with an unknown field', '{ nothing }'],
    ['that is one of two without a name', 'query A { event { id } } query B { event { id } }'],
    ['with null for a variable with a default', 'query ($if: Boolean = true) { event { id @include(if: $if) } }'],
  ])('%s → rejected and charged', async (_, query) => {
    const { data, messages, spent, statistics } = await run(query, { variables: { if: null } });
    expect(data).toBeUndefined();
    expect(messages).toHaveLength(1);
    expect({ spent, cost: statistics.cost }).toEqual({ spent: [['caller', 100, true]], cost: 100 });
  });

  test('with null for a variable that must not be null → the reason', async () => {
    const query = 'query ($if: Boolean = true) { event { id @include(if: $if) } }';
    expect((await run(query, { variables: { if: null } })).messages).toEqual([
      expect.stringMatching(/"Boolean!" must not be null/),
    ]);
  });

  test('with a wrong variable → the least cost, because nothing runs', async () => {
    const query = 'query ($isAsked: Boolean!) { event { id @include(if: $isAsked) } }';
    const { messages, spent, statistics, extensions } = await run(query, {
      variables: { isAsked: 'x' },
      extensions: { cost: true },
    });
    expect(messages).toEqual([expect.stringContaining('$isAsked')]);
    expect({ spent, cost: statistics.cost, extensions }).toEqual({
      spent: [['caller', 1, false]],
      cost: 1,
      extensions: undefined,
    });
  });
});

describe('name and field of an operation in the statistics', () => {
  test.each([
    ['{ event { id } }', null, 'event'],
    ['query Name { a: event { id } b: event { id } }', 'Name', 'event'],
    ['{ event { id } other { id } }', null, 'several'],
    ['{ ...F } fragment F on Query { event { id } }', null, 'several'],
    ['mutation Add { add { id } }', 'Add', 'add'],
  ])('%s → name %s, field %s', async (query, operation, field) => {
    expect((await run(query)).statistics).toMatchObject({ operation, field });
  });

  test('a long name → cut', async () => {
    const { statistics } = await run(`query ${'n'.repeat(MAX_NAME_LENGTH + 1)} { event { id } }`);
    expect(statistics.operation).toBe('n'.repeat(MAX_NAME_LENGTH));
  });

  test('two operations and no name → neither', async () => {
    const { messages, statistics } = await run('query A { event { id } } query B { event { id } }');
    expect(messages).toHaveLength(1);
    expect(statistics).toMatchObject({ operation: null, field: null });
  });
});

describe('extensions.cost', () => {
  test('requested → the cost of the operation and the remaining budget', async () => {
    const spend = async () => ({ isEnough: true, budget: BUDGET });
    const extensions = { cost: true };
    expect((await run(EVENT, { spend, extensions })).extensions).toEqual({
      cost: { cost: 1, maxCost: 2, charged: 1, budget: { limit: 100, remaining: 40, resetSeconds: 2 } },
    });
    expect((await run(EVENT, { extensions })).extensions).toEqual({ cost: { cost: 1, maxCost: 2, charged: 1, budget: null } });
    expect((await run('{ event { parent { parent { id } } } }', { extensions })).extensions).toMatchObject({ cost: { cost: 3 } });
  });

  test.each([undefined, {}, { cost: false }, { cost: 'true' }])('not requested (%j) → absent', async (extensions) => {
    expect((await run(EVENT, extensions && { extensions })).extensions).toBeUndefined();
  });
});

describe('work that is measured while an operation runs', () => {
  const MOST = 10;
  const spendOf = (isEnough: boolean) => jest.fn<Spend>(async () => ({ isEnough, budget: BUDGET }));

  test.each([0, -1])('a cost of %d → not charged', async (cost) => {
    const spend = spendOf(false);
    await createWorkCharge(spend, true, MOST)(createContext(), cost, 'before');
    expect(spend).not.toHaveBeenCalled();
  });

  test.each([
    ['before', 3, false],
    ['after', 3, true],
    ['before', MOST, false],
    ['after', MOST, true],
  ] as const)('charged %s the work → %d, and no more than the limit of one charge', async (when, charged, takesRest) => {
    const spend = spendOf(true);
    const context = createContext();
    await createWorkCharge(spend, true, MOST)(context, charged === MOST ? MOST + 5 : charged, when);
    expect(spend.mock.calls).toEqual([['caller', charged, takesRest]]);
    expect(context.statistics).toMatchObject({ cost: charged, budget: BUDGET });
  });

  test('beyond the budget → rejected before the work, and never after it', async () => {
    const charge = createWorkCharge(spendOf(false), true, MOST);
    await expect(charge(createContext(), 1, 'before')).rejects.toMatchObject({ name: 'TooManyRequestsError' });
    await expect(charge(createContext(), 1, 'after')).resolves.toBeUndefined();
  });
});

test('an exhausted budget before the operation is known → no cost in the message', () => {
  const { message } = overBudget(null, BUDGET);
  expect(message).toBe('You have nothing left of your budget of 100 per minute. Try again in 2 seconds.');
});
