import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type GraphQLSchema, graphql } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { EventCountsQuery } from '../../src/event-counts/event-counts.resolver.js';
import { EventFeedQuery } from '../../src/event-feed/event-feed.resolver.js';
import { EventQueries } from '../../src/events/event.resolver.js';
import { createSchema } from '../../src/graphql/schema.js';
import { SignupTokenOperations } from '../../src/signup-tokens/signup-token.resolver.js';
import { ViewerQuery } from '../../src/viewer/viewer.resolver.js';
import { isJson } from '../support/is-json.js';
import { graphqlRequest } from '../support/random-graphql-request.js';

const context = { caller: { name: 'test', role: 'ADMIN', projects: 'all', expiresAt: null } };

/** The calls of the services as JSON, which has the order of the keys. */
let calls: string[] = [];

/** A service whose methods only record their arguments. */
const service = new Proxy({} as never, {
  get:
    (_, method) =>
    (...args: unknown[]) => {
      const withoutContext = args.map((arg) => (arg === context ? 'context' : arg instanceof Map ? [...arg] : arg));
      calls.push(JSON.stringify([method, withoutContext]));
      return {};
    },
});
const instances = [
  new EventQueries(service),
  new EventCountsQuery(service),
  new EventFeedQuery(service),
  new SignupTokenOperations(service),
];
const bound = createSchema(instances, [ViewerQuery]);
const container = new Map<unknown, object>([...instances, new ViewerQuery()].map((instance) => [instance.constructor, instance]));
const unbound = buildSchemaSync({
  resolvers: [...container.keys()] as never,
  container: { get: (Class: unknown) => container.get(Class) },
  validate: false,
});

async function callsOf(schema: GraphQLSchema, source: string, variableValues: Record<string, unknown>): Promise<string[]> {
  calls = [];
  await graphql({ schema, source, variableValues, contextValue: context });
  return calls;
}

test('any query with variables → the same calls of the services as by TypeGraphQL', async () => {
  const requests = graphqlRequest
    .filter(({ method, body }) => method === 'POST' && typeof body === 'string' && body.startsWith('{"query":"') && isJson(body))
    .map(({ body }) => JSON.parse(String(body)) as { query: string; variables?: Record<string, unknown> })
    .filter(({ query, variables }) => !query.includes('mutation') && typeof (variables ?? {}) === 'object')
    .filter(({ variables }) => !Array.isArray(variables));
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(requests, async ({ query, variables }) => {
      const found = await callsOf(bound, query, variables ?? {});
      seen += found.length;
      expect(found).toEqual(await callsOf(unbound, query, variables ?? {}));
    }),
    { numRuns: 500 },
  );
  expect(seen).toBeGreaterThan(50);
});

test.each([
  ['{ searchEvents { total } }', 1],
  ['{ searchEvents(filter: null, offset: 3) { total } }', 1],
  ['{ searchEvents(filter: {}) { total events { id } } }', 1],
  ['{ searchEvents(filter: { until: "2026-01-01T00:00:00Z", searchIn: null, features: ["a"], query: "x" }) { total } }', 1],
  ['{ events(filter: { types: [OTHER, FEATURE_CREATED], from: "2026-01-01" }, last: 2, before: null) { totalCount } }', 1],
  ['{ eventCounts(by: TYPE, interval: null, filter: { since: "2026-01-01T00:00:00Z" }) { total } }', 1],
  ['{ eventExport(upTo: null) { upTo } event(id: 1) { id } featureEvents(featureName: "f") { totalEvents } }', 3],
  ['{ eventFeed(after: "now", filter: { projects: "p" }) { cursor } signupToken(secret: "s") { name } }', 2],
  ['{ viewer { name role projects } }', 0],
])('%s → the same calls of the services as by TypeGraphQL', async (query, count) => {
  const found = await callsOf(bound, query, {});
  expect(found).toHaveLength(count);
  expect(found).toEqual(await callsOf(unbound, query, {}));
});
