import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const SEARCH = '/api/admin/search/events?limit=1';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('x-request-id', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  test.each([
    ['of a proxy is kept', 'edge-1:4f2a/7', 'edge-1:4f2a/7'],
    ['with what could be taken for more than a name is not', 'a b"\\', expect.stringMatching(UUID)],
    ['that is too long is not', 'x'.repeat(129), expect.stringMatching(UUID)],
  ])('%s, and is in the answer and in the log', async (_, sent, expected) => {
    const { headers } = await gateway.send(SEARCH, { headers: { 'x-request-id': sent } });
    expect(headers['x-request-id']).toEqual(expected);
    const line = gateway.log.map((text) => JSON.parse(text)).find(({ requestId }) => requestId === headers['x-request-id']);
    expect(line).toMatchObject({ msg: 'request', status: 200 });
  });

  test('is in errors too, also of what has no route', async () => {
    for (const path of ['/api/admin/nothing', '/nothing', '/api/admin/events/%E0%A4%A']) {
      expect((await gateway.send(path, { headers: { 'x-request-id': 'a' } })).headers['x-request-id']).toBe('a');
    }
  });
});

describe('pages of other origins', () => {
  const preflight = (gateway: TestGateway, origin: string) =>
    gateway.send('/graphql', {
      method: 'OPTIONS',
      token: null,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });

  test('may read nothing by default', async () => {
    const gateway = await startTestGateway();
    try {
      expect((await preflight(gateway, 'https://portal.example')).headers).not.toHaveProperty('access-control-allow-origin');
      const { headers } = await gateway.send(SEARCH, { headers: { origin: 'https://portal.example' } });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    } finally {
      await gateway.stop();
    }
  });

  test('may read what they ask for where they are configured, and no others', async () => {
    const gateway = await startTestGateway('empty', { CORS_ORIGINS: 'https://portal.example' });
    try {
      const allowed = await preflight(gateway, 'https://portal.example');
      expect(allowed).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': 'https://portal.example' } });
      const answer = await gateway.send(SEARCH, { headers: { origin: 'https://portal.example' } });
      expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': 'https://portal.example' } });
      expect(String(answer.headers['access-control-expose-headers'])).toContain('retry-after');
      const other = await preflight(gateway, 'https://evil.example');
      expect(other.headers['access-control-allow-origin']).not.toBe('https://evil.example');
    } finally {
      await gateway.stop();
    }
  });
});

describe('a client that takes its time', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty', { REQUEST_TIMEOUT_MS: '300', IDLE_TIMEOUT_MS: '300' });
  });
  afterAll(() => gateway.stop());

  test.each([
    ['with its headers', 'GET /livez HTTP/1.1\r\nhost: a\r\nx-slow:'],
    [
      'with its body',
      'POST /graphql HTTP/1.1\r\nhost: a\r\nauthorization: TOKEN\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    ],
    ['before it says anything', ''],
  ])('%s loses its connection', async (_, start) => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received)).on('error', reject);
      socket.write(start.replace('TOKEN', gateway.adminToken));
    });
    expect(text).toMatch(/^($|HTTP\/1\.1 4\d\d )/);
  });
});
