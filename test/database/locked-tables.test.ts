import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { isPostgres } from '../support/test-database.js';
import { type RequestOptions, startTestGateway, type TestGateway } from '../support/test-gateway.js';

const SEARCH: Request = ['/api/admin/search/events?limit=1', {}];
const FLAG: Request = ['/api/admin/events/checkout', {}];
const GRAPHQL: Request = [`/graphql?query=${encodeURIComponent('{ events(first: 1) { nodes { id } totalCount } }')}`, {}];
const creation = (headers: Record<string, string> = {}): Request => [
  '/api/admin/invite-link/tokens',
  {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'a', expiresAt: '2099-01-01T00:00:00Z' }),
  },
];
const REPEATABLE = creation({ 'idempotency-key': 'a-key' });

type Request = readonly [path: string, options: RequestOptions];

/** The tables, and the requests that need them. */
const CASES: readonly (readonly [table: string, requests: readonly Request[]])[] = [
  ['events', [SEARCH, FLAG, GRAPHQL, creation(), REPEATABLE]],
  ['gateway_event_log', [SEARCH, FLAG, GRAPHQL]],
  ['public_signup_tokens', [creation(), ['/api/admin/invite-link/tokens/unknown', {}]]],
  ['roles', [creation()]],
  ['gateway_mirror', [creation()]],
  ['gateway_idempotency_key', [REPEATABLE]],
  ['gateway_api_token', [[SEARCH[0], { token: 'flaggw_unknown' }]]],
];

(isPostgres ? describe : describe.skip)('while another session holds a lock on a table', () => {
  let gateway: TestGateway;
  let other: pg.Client;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
    other = new pg.Client({ connectionString: gateway.databaseEnv['DATABASE_URL'] });
    await other.connect();
  });
  afterEach(async () => {
    await other.query('ROLLBACK');
  });
  afterAll(async () => {
    await other.end();
    await gateway.stop();
  });

  test.each(CASES)('%s → 503 with the error body while the lock is held', async (table, requests) => {
    await other.query('BEGIN');
    await other.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const responses = await Promise.all(
      requests.map(async ([path, options]) => {
        const { status, headers, body } = await gateway.send(path, options);
        return { status, retryAfter: headers['retry-after'], error: body.errors ? body.errors[0].extensions : body };
      }),
    );
    const { rows } = await other.query(
      `SELECT count(*)::int AS held FROM pg_locks WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock'`,
    );
    expect(rows[0].held).toBeGreaterThan(0);
    const unavailable = {
      status: 503,
      retryAfter: '2',
      error: expect.objectContaining({ id: expect.any(String), name: 'ServiceUnavailableError', message: expect.any(String) }),
    };
    expect(responses).toEqual(requests.map(() => unavailable));
    for (const { error } of responses) expect(JSON.stringify(error)).not.toContain(table);
    expect((await gateway.send('/readyz', { token: null })).status).toBe(200);
  });

  test('the lock is released → requests succeed', async () => {
    await other.query('BEGIN');
    await other.query('LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
    expect((await gateway.send(SEARCH[0])).status).toBe(503);
    await other.query('ROLLBACK');
    for (const [path] of [SEARCH, FLAG, GRAPHQL]) expect((await gateway.send(path)).status).toBe(200);
    expect((await gateway.send(...creation())).status).toBe(201);
  });
});
