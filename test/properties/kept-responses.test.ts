import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import type { ProjectScope } from '../../src/auth/caller.js';
import { parseConfig } from '../../src/config.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { createEventCountsService } from '../../src/event-counts/event-counts.service.js';
import { createEventService } from '../../src/events/event.service.js';
import { createEventStore } from '../../src/events/event.store.js';
import { createEventLog } from '../../src/events/event-log.js';
import { MAX_LIMIT } from '../../src/events/event-page.js';
import { toJson } from '../../src/formats/json-text.js';
import { createGatewaySchema } from '../../src/gateway-schema.js';
import { type ExecutorOptions, type GraphqlExecutor, startExecutor } from '../../src/graphql/executor.js';
import { createResponseMemo } from '../../src/graphql/response-memo.js';
import { withoutTurns } from '../../src/limits/in-turn.js';
import { createStatistics } from '../../src/telemetry/request-statistics.js';
import { toGatewayError } from '../../src/to-gateway-error.js';
import { randomRuns } from '../support/random-runs.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const EVENTS = `query ($filter: EventFilter, $first: Int!) {
  events(filter: $filter, first: $first) { totalCount nodes { id createdAt type typeName createdBy project featureName data tags { type value } } }
}`;
const QUERIES: readonly { query: string; variables: Record<string, unknown> }[] = [
  { query: EVENTS, variables: { filter: {}, first: 3 } },
  { query: EVENTS, variables: { filter: { features: ['f1'] }, first: 5 } },
  { query: EVENTS, variables: { filter: { projects: ['p1', 'p2'], query: 'needle' }, first: 5 } },
  {
    query:
      '{ eventCounts(by: FEATURE, interval: HOUR, top: 2) { total buckets { count } groups { key count counts } other version } }',
    variables: {},
  },
  { query: '{ searchEvents(limit: 4) { version total events { id data preData } } }', variables: {} },
  { query: '{ event(id: 7) { id typeName } }', variables: {} },
  {
    query: '{ events(first: 2, filter: { features: ["f2"] }) { totalCount edges { node { id } } pageInfo { hasNextPage } } }',
    variables: {},
  },
];
const SCOPES: readonly ProjectScope[] = ['all', ['p1'], ['p2', 'p3'], 'any project'];

/** Most acts add events, as in a real log. */
const INSERT = `
  INSERT INTO events (type, created_by, feature_name, project, data)
  SELECT 'feature-created', 'x', 'f' || n % 3, 'p' || n % 4, json_build_object('text', CASE WHEN n % 2 = 0 THEN 'needle' ELSE 'hay' END)
  FROM generate_series(1, $1::int) AS n`;
const DELETE = 'DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY random() LIMIT $1::int)';
const UPDATE = `UPDATE events SET feature_name = 'f1' WHERE id IN (SELECT id FROM events ORDER BY random() LIMIT $1::int)`;
const act = fc.record({
  sql: fc.oneof({ weight: 6, arbitrary: fc.constant(INSERT) }, { weight: 1, arbitrary: fc.constantFrom(DELETE, UPDATE) }),
  count: fc.integer({ min: 1, max: 3 }),
  pauseMs: fc.integer({ min: 0, max: 120 }),
});

const log = { debug() {}, info() {}, warn() {}, error() {} };

let testDatabase: TestDatabase;
let database: Database;
let schema: GraphQLSchema;
let options: ExecutorOptions;
let fresh: GraphqlExecutor;
beforeAll(async () => {
  testDatabase = await createTestDatabase('empty');
  database = await openDatabase(testDatabase.location);
  await database.read({ text: INSERT, values: [30] });
  const events = createEventLog(createEventStore(database.read));
  const service = createEventService({ primary: events, chooseLog: async () => events }, async () => undefined, withoutTurns);
  const eventCounts = createEventCountsService(
    async () => events,
    async () => undefined,
    withoutTurns,
  );
  schema = createGatewaySchema({
    events: service,
    eventCounts,
    eventFeed: undefined as never,
    signupTokens: undefined as never,
  });
  options = {
    log,
    toGatewayError,
    readVersion: service.readVersion,
    limits: parseConfig({}).graphqlLimits,
    largestPage: MAX_LIMIT,
    spend: async () => null,
    introspection: true,
    ownDocuments: [],
  };
  fresh = await startExecutor(schema, { ...options, usesPlans: false });
});
afterAll(async () => {
  await fresh.apollo.stop();
  await database.close();
  await testDatabase.drop();
});

async function ask({ apollo }: GraphqlExecutor, index: number, projects: ProjectScope): Promise<string> {
  const request = QUERIES[index] ?? { query: '', variables: {} };
  const caller = { id: 'test', name: 'test', email: null, userId: null, role: 'VIEWER', projects, expiresAt: null } as const;
  const context = { caller, log, signal: new AbortController().signal, statistics: createStatistics() };
  const { body } = await apollo.executeOperation(request, { contextValue: context });
  return toJson(body);
}

const PAIRS = QUERIES.flatMap((_, index) => SCOPES.map((scope) => [index, scope] as const));
const askAll = (executor: GraphqlExecutor) => Promise.all(PAIRS.map(([index, scope]) => ask(executor, index, scope)));

/** The requests of the three readers. Each repeats its own, so that the response is kept if the log does not change for a while. */
const pairs = fc.array(fc.nat({ max: PAIRS.length - 1 }), { minLength: 3, maxLength: 3 });

let hits = 0;

/** Starts an executor whose memo is empty. */
const startKeeping = () => {
  const { readVersion } = options;
  // Only a kept response is charged here.
  const charge = async () => {
    hits += 1;
  };
  return startExecutor(schema, { ...options, memo: createResponseMemo({ readVersion, charge }) });
};

test('changes of the log while clients read → each response matches the log at a moment during its request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 4 }), pairs, async (acts, asked) => {
      const keeping = await startKeeping();
      /** The responses after each act, of an executor that keeps nothing. */
      const moments = [await askAll(fresh)];
      let begun = 0;
      let isOver = false;
      const seen: { pair: number; body: string; from: number; to: number }[] = [];
      const read = async (reader: number) => {
        while (!isOver) {
          const pair = asked[reader % asked.length] ?? 0;
          const [index, scope] = PAIRS[pair] ?? [0, 'all'];
          const from = moments.length - 1;
          seen.push({ pair, body: await ask(keeping, index, scope), from, to: begun });
          await setTimeout(1);
        }
      };
      const readers = [0, 1, 2].map(read);
      for (const { sql, count, pauseMs } of acts) {
        await setTimeout(pauseMs);
        begun += 1;
        await database.read({ text: sql, values: [count] });
        moments.push(await askAll(fresh));
      }
      isOver = true;
      await Promise.all(readers);
      for (const { pair, body, from, to } of seen)
        expect(moments.slice(from, to + 1).map((responses) => responses[pair])).toContain(body);
      expect(await askAll(keeping)).toEqual(moments.at(-1));
      await keeping.apollo.stop();
    }),
    { numRuns: randomRuns(12) },
  );
  expect(hits).toBeGreaterThan(0);
});
