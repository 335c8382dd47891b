import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseConfig } from '../../src/config.js';
import { type Database, openDatabase } from '../../src/database/open.js';
import { createEventCountsService } from '../../src/event-counts/event-counts.service.js';
import { createEventFeedService } from '../../src/event-feed/event-feed.service.js';
import { FeedEndWatcher } from '../../src/event-feed/feed-end-watcher.js';
import { FeedStreams } from '../../src/event-feed/feed-streams.js';
import { createEventService } from '../../src/events/event.service.js';
import { createEventStore } from '../../src/events/event.store.js';
import { createEventLog } from '../../src/events/event-log.js';
import { MAX_LIMIT } from '../../src/events/event-page.js';
import { toJson } from '../../src/formats/json-text.js';
import { createGatewaySchema } from '../../src/gateway-schema.js';
import { type GraphqlExecutor, startExecutor } from '../../src/graphql/executor.js';
import { withoutTurns } from '../../src/limits/in-turn.js';
import { createSignupTokenService } from '../../src/signup-tokens/signup-token.service.js';
import { createSignupTokenStore } from '../../src/signup-tokens/signup-token.store.js';
import { createStatistics } from '../../src/telemetry/request-statistics.js';
import { toGatewayError } from '../../src/to-gateway-error.js';
import { isJson } from '../support/is-json.js';
import { graphqlRequest } from '../support/random-graphql-request.js';
import { randomRuns } from '../support/random-runs.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const caller = { id: 'test', name: 'test', email: null, userId: null, role: 'ADMIN', projects: 'all', expiresAt: null } as const;
const ignore = () => undefined;
const ignoreVersion = async () => '';
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

let testDatabase: TestDatabase;
let database: Database;
let planned: GraphqlExecutor;
let interpreted: GraphqlExecutor;
beforeAll(async () => {
  testDatabase = await createTestDatabase('log');
  database = await openDatabase(testDatabase.location);
  const events = createEventLog(createEventStore(database.read));
  const schema = createGatewaySchema({
    events: createEventService({ primary: events, chooseLog: async () => events }, async () => undefined, withoutTurns),
    eventCounts: createEventCountsService(
      async () => events,
      async () => undefined,
      withoutTurns,
    ),
    eventFeed: createEventFeedService(
      events,
      new FeedStreams({ perCaller: 1, total: 1 }, new FeedEndWatcher(events)),
      async () => undefined,
      withoutTurns,
    ),
    signupTokens: createSignupTokenService(createSignupTokenStore(database.prisma, { isOwn: true }), withoutTurns, {
      url: 'https://flags.example',
      isDefault: false,
    }),
  });
  const options = {
    log,
    toGatewayError,
    readVersion: ignoreVersion,
    limits: parseConfig({ GRAPHQL_LIMITS: 'warn' }).graphqlLimits,
    largestPage: MAX_LIMIT,
    spend: async () => null,
    introspection: true,
    ownDocuments: [],
  };
  planned = await startExecutor(schema, options);
  interpreted = await startExecutor(schema, { ...options, usesPlans: false });
});
afterAll(async () => {
  await planned.apollo.stop();
  await interpreted.apollo.stop();
  await database.close();
  await testDatabase.drop();
});

/** Removes the ids of errors, which differ between two runs. */
const withoutIds = (json: string) => json.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '');

async function resultOf({ apollo }: GraphqlExecutor, query: string, variables: Record<string, unknown>): Promise<string> {
  const { body, http } = await apollo.executeOperation(
    { query, variables },
    { contextValue: { caller, log, signal: new AbortController().signal, statistics: createStatistics() } },
  );
  return withoutIds(toJson({ status: http.status, body }));
}

test('any query, valid or not → the same response by a plan and by graphql-js', async () => {
  const posted = graphqlRequest
    .filter(({ method, body }) => method === 'POST' && typeof body === 'string' && body.startsWith('{"query":"') && isJson(body))
    .map(({ body }) => JSON.parse(String(body)) as { query: string; variables?: Record<string, unknown> })
    .filter(
      ({ query, variables }) => !query.includes('mutation') && typeof (variables ?? {}) === 'object' && !Array.isArray(variables),
    );
  await fc.assert(
    fc.asyncProperty(posted, async ({ query, variables }) => {
      const expected = await resultOf(interpreted, query, variables ?? {});
      expect(await resultOf(planned, query, variables ?? {})).toBe(expected);
    }),
    { numRuns: randomRuns(1500), seed: Number(process.env.RANDOM_INPUT_SEED ?? 20261121) },
  );
});
