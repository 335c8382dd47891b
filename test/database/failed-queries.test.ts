import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { isPostgres } from '../support/test-database.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

(isPostgres ? describe : describe.skip)('a query beyond STATEMENT_TIMEOUT_MS', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', { STATEMENT_TIMEOUT_MS: '200' });
  });
  afterAll(() => gateway.stop());

  test('20 blocked searches → 503 that explains a faster search; the next search → 200', async () => {
    const { prisma } = gateway;
    const responses = await prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
        await tx.$executeRaw`LOCK TABLE events IN ACCESS EXCLUSIVE MODE`;
        return Promise.all(Array.from({ length: 20 }, () => gateway.send('/api/admin/search/events?query=ab')));
      },
      { timeout: 20_000 },
    );
    for (const response of responses) {
      expectError(response, 503, 'ServiceUnavailableError');
      expect(response.body.message).toMatch(/exceeded its time limit.*three letters or digits/);
    }
    expect((await gateway.send('/api/admin/search/events?query=ab')).status).toBe(200);
  });
});

(isPostgres ? describe : describe.skip)('PostgreSQL terminates the connection of a request', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  const graphql = `/graphql?query=${encodeURIComponent('{ events(first: 1) { nodes { id } } }')}`;
  test.each(['/api/admin/search/events', '/api/admin/events/dark_mode', graphql])(
    'GET %s → 503; the next request → 200',
    async (path) => {
      const { prisma } = gateway;
      const response = await prisma.$transaction(async (tx) => {
        await tx.$executeRaw`LOCK TABLE events IN ACCESS EXCLUSIVE MODE`;
        const waiting = gateway.send(path);
        let hasResponse = false;
        void waiting.finally(() => {
          hasResponse = true;
        });
        while (!hasResponse) {
          await tx.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass`;
        }
        return waiting;
      });
      expect(response.status).toBe(503);
      expect(response.text).toContain('ServiceUnavailableError');
      expect((await gateway.send(path)).status).toBe(200);
    },
  );

  test('a deadlock with a change of the tables → 503; the next request → 200', async () => {
    const { prisma } = gateway;
    const path = '/api/admin/search/events?query=ab';
    const response = await prisma.$transaction(
      async (tx) => {
        // With this setting, the session of the gateway notices the deadlock first, so its query is canceled.
        await tx.$executeRaw`SET LOCAL deadlock_timeout = '60s'`;
        await tx.$executeRaw`LOCK TABLE gateway_event_log IN ACCESS EXCLUSIVE MODE`;
        const waiting = gateway.send(path);
        for (;;) {
          const waits = await tx.$queryRaw<unknown[]>`
            SELECT FROM pg_locks WHERE NOT granted AND relation = 'gateway_event_log'::regclass AND EXISTS (
              SELECT FROM pg_locks AS held WHERE held.pid = pg_locks.pid AND granted AND relation = 'events'::regclass)`;
          if (waits.length > 0) break;
        }
        await tx.$executeRaw`LOCK TABLE events IN ACCESS EXCLUSIVE MODE`;
        return waiting;
      },
      { timeout: 20_000 },
    );
    expectError(response, 503, 'ServiceUnavailableError');
    expect(response.body.message).toMatch(/database is unavailable/);
    expect((await gateway.send(path)).status).toBe(200);
  });
});
