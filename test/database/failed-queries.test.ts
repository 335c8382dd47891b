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
});
