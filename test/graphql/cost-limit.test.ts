import { ApolloServer } from '@apollo/server';
import { describe, expect, jest, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Caller } from '../../src/auth/caller.js';
import { GatewayError } from '../../src/errors.js';
import { CONTINUATION, createCostLimit, type Spend } from '../../src/graphql/cost-limit.js';
import type { RequestContext } from '../../src/request-context.js';
import { createStatistics } from '../../src/telemetry/request-statistics.js';

const schema = buildSchema(`
  type Query { event: Event, other: Event }
  type Mutation { add: Event }
  type Event { id: Int, parent: Event }
`);
const caller: Caller = { id: 'caller', name: 'a', email: null, userId: null, role: 'VIEWER', projects: 'all' };
const BUDGET = { limit: 100, remaining: 40, resetMs: 1_500 };
const COST_OF_EVENT = 1;
const EVENT = '{ event { id } }';

interface Ask {
  readonly isEnforced?: boolean;
  readonly maxCost?: number;
  readonly spend?: Spend;
  readonly extensions?: Record<string, unknown>;
  readonly operationName?: string;
  readonly isContinuation?: boolean;
  readonly variables?: Record<string, unknown>;
}

async function ask(
  query: string,
  { isEnforced = true, maxCost = 2, spend = async () => null, isContinuation = false, ...request }: Ask = {},
) {
  const spent = jest.fn(spend);
  const masked = jest.fn((thrown: unknown) =>
    thrown instanceof GatewayError ? thrown : new GatewayError('InternalError', 'masked'),
  );
  const context: RequestContext = {
    caller,
    log: { info: jest.fn(), warn: jest.fn(), error: jest.fn() },
    signal: new AbortController().signal,
    statistics: createStatistics(),
  };
  const apollo = new ApolloServer<RequestContext>({
    schema,
    plugins: [createCostLimit(schema, { maxCost, isEnforced }, spent, masked)],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const { body } = await apollo.executeOperation(
    { query, ...request, ...(isContinuation && { extensions: CONTINUATION }) },
    { contextValue: context },
  );
  await apollo.stop();
  if (body.kind !== 'single') throw new Error('answered in parts');
  const { data, errors = [], extensions } = body.singleResult;
  return {
    data,
    extensions,
    messages: errors.map(({ message }) => message),
    statistics: context.statistics,
    noted: jest.mocked(context.log.warn).mock.calls,
    spent: spent.mock.calls,
    status: errors[0]?.extensions?.http,
  };
}

describe('an operation', () => {
  test('is charged to its caller, before it runs', async () => {
    const spend = async () => ({ isEnough: true, budget: BUDGET });
    const { data, statistics, spent, noted } = await ask(EVENT, { spend });
    expect(data).toEqual({ event: null });
    expect(spent).toEqual([['caller', COST_OF_EVENT, false]]);
    expect(statistics).toMatchObject({ cost: COST_OF_EVENT, budget: BUDGET });
    expect(noted).toEqual([]);
  });

  test('up to the limit runs; beyond it is refused, and charged for that', async () => {
    expect(await ask(EVENT, { maxCost: 1 })).toMatchObject({ messages: [], statistics: { budget: null } });
    const refused = await ask('{ event { parent { id } } }', { maxCost: 1 });
    expect(refused).toMatchObject({
      messages: [expect.stringMatching(/^The operation costs 2, more than the 1 /)],
      spent: [['caller', 100, true]],
    });
    expect(refused.data).toBeUndefined();
  });

  test('beyond the budget of its caller is refused, and told when to try again', async () => {
    const spend = async () => ({ isEnough: false, budget: BUDGET });
    const { data, messages, statistics } = await ask(EVENT, { spend });
    expect(data).toBeUndefined();
    expect(messages).toEqual([expect.stringMatching(/^The operation costs 1, .* 40 left of the 100 .* in 2 seconds\.$/)]);
    expect(statistics.budget).toEqual(BUDGET);
  });

  test('beyond limits that are not enforced runs, and is noted in the log', async () => {
    const spend = async () => ({ isEnough: false, budget: BUDGET });
    const { data, noted, spent } = await ask(EVENT, { isEnforced: false, maxCost: 0, spend });
    expect(data).toEqual({ event: null });
    expect(spent).toHaveLength(1);
    expect(noted).toEqual(
      [/more than the 0/, /40 left of the 100/].map((limit) => [
        { limit: expect.stringMatching(limit) },
        expect.stringContaining('not enforced'),
      ]),
    );
  });

  test('is not run where its caller’s budget cannot be known', async () => {
    const { data, messages } = await ask(EVENT, { spend: () => Promise.reject(new Error('away')) });
    expect({ data, messages }).toEqual({ data: undefined, messages: ['masked'] });
  });

  test('that has begun is charged and not refused', async () => {
    const spend = async () => ({ isEnough: false, budget: BUDGET });
    const { data, spent, noted } = await ask(EVENT, { spend, isContinuation: true });
    expect({ data, spent, noted }).toEqual({ data: { event: null }, spent: [['caller', COST_OF_EVENT, true]], noted: [] });
  });

  test.each([
    ['that is no document', '{'],
    ['of an unknown field', '{ nothing }'],
    ['of an unknown name', 'query A { event { id } } query B { event { id } }'],
    ['with a null that comes by a default', 'query ($if: Boolean = true) { event { id @include(if: $if) } }'],
  ])('%s is charged for being refused', async (_, query) => {
    const { data, messages, spent, statistics } = await ask(query, { variables: { if: null } });
    expect(data).toBeUndefined();
    expect(messages).toHaveLength(1);
    expect({ spent, cost: statistics.cost }).toEqual({ spent: [['caller', 100, true]], cost: 100 });
  });

  test('of a wrong variable costs the least: nothing of it runs', async () => {
    const query = 'query ($isAsked: Boolean!) { event { id @include(if: $isAsked) } }';
    const { messages, spent, statistics, extensions } = await ask(query, {
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

describe('what becomes known of an operation', () => {
  test.each([
    ['{ event { id } }', null, 'event'],
    ['query Name { a: event { id } b: event { id } }', 'Name', 'event'],
    ['{ event { id } other { id } }', null, 'several'],
    ['{ ...F } fragment F on Query { event { id } }', null, 'several'],
    ['mutation Add { add { id } }', 'Add', 'add'],
  ])('%s', async (query, operation, field) => {
    expect((await ask(query)).statistics).toMatchObject({ operation, field });
  });

  test('where it names no operation of its document: nothing', async () => {
    const { messages, statistics } = await ask('query A { event { id } } query B { event { id } }');
    expect(messages).toHaveLength(1);
    expect(statistics).toMatchObject({ operation: null, field: null });
  });
});

describe('extensions.cost', () => {
  test('tells on request what the operation cost, and what is left', async () => {
    const spend = async () => ({ isEnough: true, budget: BUDGET });
    const extensions = { cost: true };
    expect((await ask(EVENT, { spend, extensions })).extensions).toEqual({
      cost: { cost: 1, maxCost: 2, budget: { limit: 100, remaining: 40, resetSeconds: 2 } },
    });
    expect((await ask(EVENT, { extensions })).extensions).toEqual({ cost: { cost: 1, maxCost: 2, budget: null } });
    expect((await ask('{ event { parent { parent { id } } } }', { extensions })).extensions).toMatchObject({ cost: { cost: 3 } });
  });

  test.each([undefined, {}, { cost: false }, { cost: 'true' }])('does not with extensions %j', async (extensions) => {
    expect((await ask(EVENT, extensions && { extensions })).extensions).toBeUndefined();
  });
});
