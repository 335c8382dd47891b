import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError } from '../support/expect-error.js';
import { recordSql } from '../support/record-sql.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const graphqlGet = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;
const READS = [
  '/api/admin/events/bulk-flag',
  '/api/admin/events/no-such-flag',
  '/api/admin/search/events?limit=3',
  '/api/admin/search/events?query=rollout&from=IS:2024-01-01',
  '/v1/events/counts?by=TYPE&interval=MONTH',
  graphqlGet('{ events(first: 3) { totalCount nodes { id } } a: event(id: 1) { id } __typename }'),
];

describe('conditional requests', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  const getIf = (path: string, etag: string, token = gateway.viewerToken) =>
    gateway.send(path, { token, headers: { 'if-none-match': etag } });
  const etagOf = async (path: string, token = gateway.viewerToken): Promise<string> => {
    const { status, headers } = await gateway.send(path, { token });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('private, no-cache');
    return String(headers.etag);
  };
  const addEvent = () => gateway.prisma.event.create({ data: { type: 'feature-created', createdBy: 'x' } });

  test.each(READS)('GET %s again, the log unchanged → 304 without a body, and no events are read', async (path) => {
    const etag = await etagOf(path);
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    const statements = recordSql();
    const { status, headers, text } = await getIf(path, `"other", ${etag}`);
    expect({ status, text, etag: headers.etag }).toEqual({ status: 304, text: '', etag });
    expect(headers['content-type']).toBeUndefined();
    expect(statements(/feature_name, created_by/)).toEqual([]);
    expect((await getIf(path, '"other"')).status).toBe(200);
  });

  const addBelow = () =>
    gateway.prisma.$executeRaw`
      INSERT INTO events (id, type, created_by)
      SELECT n, 'feature-created', 'x' FROM generate_series(1, 1000000) AS n WHERE NOT EXISTS (SELECT FROM events WHERE id = n) LIMIT 1`;

  test.each<[string, (gateway: TestGateway) => Promise<unknown>]>([
    ['added', addEvent],
    ['added with a lower id', addBelow],
    ['changed', ({ prisma }) => prisma.event.updateMany({ where: { type: 'feature-created' }, data: { project: 'changed' } })],
    ['removed', ({ prisma }) => prisma.event.deleteMany({ where: { project: 'changed' } })],
  ])('an event was %s → a new response with another entity tag', async (_, change) => {
    for (const path of [...READS.slice(0, 3), ...READS.slice(4)]) {
      const etag = await etagOf(path);
      await change(gateway);
      const { status, headers } = await getIf(path, etag);
      expect(status).toBe(200);
      expect(headers.etag).not.toBe(etag);
    }
  });

  test('an event was added that the search does not match → 304', async () => {
    const path = '/api/admin/search/events?query=rollout';
    const etag = await etagOf(path);
    await addEvent();
    expect((await getIf(path, etag)).status).toBe(304);
  });

  test.each([
    '{ searchEvents(limit: 1) { version events { id } total } }',
    '{ searchEvents(limit: 1) { events { id } total version } }',
  ])('%s → the version and the events from one query', async (query) => {
    const statements = recordSql();
    const { body } = await gateway.graphql(query);
    expect(body.data.searchEvents.version).toMatch(/^[\w-]{43}$/);
    expect(statements(/AS newer|AS first/)).toEqual([expect.stringMatching(/AS newer.*AS first/s)]);
  });

  test('a caller with other projects → another entity tag', async () => {
    const all = await etagOf(READS[0] ?? '');
    const limited = await gateway.createToken({ name: 'limited', projects: ['default'] });
    expect(await etagOf(READS[0] ?? '', limited)).not.toBe(all);
    expect((await getIf(READS[0] ?? '', all, limited)).status).toBe(200);
  });

  test('no token, or a wrong parameter → the error, even with a current entity tag', async () => {
    const etag = await etagOf('/api/admin/search/events');
    const rejected = await gateway.send('/api/admin/search/events', { token: null, headers: { 'if-none-match': etag } });
    expectError(rejected, 401, 'AuthenticationRequired');
    const wrong = await getIf('/api/admin/search/events?limit=0', etag);
    expectError(wrong, 400, 'BadDataError');
    for (const { headers } of [rejected, wrong]) {
      expect(headers.etag).toBeUndefined();
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  test.each([
    ['a signup token', '{ signupToken(secret: "x") { name } }'],
    ['a signup token beside events', '{ events { totalCount } signupToken(secret: "x") { name } }'],
    ['a signup token in a fragment', 'query { ...F } fragment F on Query { signupToken(secret: "x") { name } }'],
    ['an error', '{ events(first: -1) { totalCount } }'],
  ])('a GraphQL response with %s → no-store', async (_, query) => {
    const { headers } = await gateway.send(graphqlGet(query));
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toBeUndefined();
  });
});

describe('compression', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log');
  });
  afterAll(() => gateway.stop());

  const encodingOf = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: gateway.adminToken, 'content-type': 'application/json', ...init.headers };
    const response = await fetch(`${gateway.url}${path}`, { ...init, headers });
    return { encoding: response.headers.get('content-encoding'), body: await response.json() };
  };

  test.each(['gzip', 'br'])('events, accepting %s → compressed, with the same body', async (encoding) => {
    for (const path of ['/api/admin/events/bulk-flag', '/api/admin/search/events']) {
      const plain = await encodingOf(path, { headers: { 'accept-encoding': 'identity' } });
      const compressed = await encodingOf(path, { headers: { 'accept-encoding': encoding } });
      expect(plain.encoding).toBeNull();
      expect(compressed).toEqual({ encoding, body: plain.body });
    }
  });

  test.each([
    ['gzip, br', 'br'],
    ['*', 'br'],
    ['br;q=0.5, GZIP;q=0.9', 'gzip'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['gzip;q=0', null],
    ['*;q=0', null],
    ['zstd', null],
    ['', null],
  ])('events, accepting %j → %s', async (accepted, expected) => {
    const { encoding } = await encodingOf('/api/admin/search/events', { headers: { 'accept-encoding': accepted } });
    expect(encoding).toBe(expected);
  });

  test('HEAD of a compressed response → the headers of the GET', async () => {
    const options = { headers: { 'accept-encoding': 'gzip' } };
    const { date: _, 'x-request-id': __, ...expected } = (await gateway.send('/openapi.json', options)).headers;
    const head = await gateway.send('/openapi.json', { ...options, method: 'HEAD' });
    expect(head.headers).toMatchObject({ ...expected, 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(head.text).toBe('');
  });

  test('a short body → not compressed', async () => {
    const path = '/api/admin/search/events?feature=IS:missing';
    expect((await encodingOf(path, { headers: { 'accept-encoding': 'gzip' } })).encoding).toBeNull();
  });

  test('all events of a flag in several pieces → compressed while they are read', async () => {
    await gateway.prisma.$executeRaw`
      INSERT INTO events (type, created_by, feature_name, data)
      SELECT 'feature-updated', 'x', 'long', json_build_object('text', repeat('x', 1000)) FROM generate_series(1, 1000)`;
    const { encoding, body } = await encodingOf('/api/admin/events/long', { headers: { 'accept-encoding': 'gzip' } });
    expect([encoding, (body as { events: unknown[] }).events.length]).toEqual(['gzip', 1000]);
  });

  test('a signup token, however long → not compressed, over REST and GraphQL', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const input = { name: 'n'.repeat(5000), expiresAt: '2099-01-01T00:00:00Z' };
    const created = await encodingOf('/api/admin/invite-link/tokens', { method: 'POST', headers, body: JSON.stringify(input) });
    expect(created.encoding).toBeNull();
    const { secret } = created.body as { secret: string };
    expect((await encodingOf(`/api/admin/invite-link/tokens/${secret}`, { headers })).encoding).toBeNull();
    const query = `{ signupToken(secret: "${secret}") { secret name } events(first: 50) { nodes { data } } }`;
    const graphql = await encodingOf('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
    expect(graphql.encoding).toBeNull();
    expect(JSON.stringify(graphql.body)).toContain(secret);
  });
});
