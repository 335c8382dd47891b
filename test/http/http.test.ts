import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendBytes, statusesIn } from '../support/send-raw.js';
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

test('what follows a # is no part of the path', async () => {
  const gateway = await startTestGateway();
  try {
    const statusOf = async (path: string) => (await gateway.send(path, { token: null })).status;
    expect(await statusOf('/livez#%a3')).toBe(200);
    expect(await statusOf('/nothing#%a3')).toBe(404);
    expect(await statusOf('/api/nothing#%a3')).toBe(401);
  } finally {
    await gateway.stop();
  }
});

test.each([
  ['GET', /"name":"PayloadTooLargeError"/],
  ['HEAD', /\r\n\r\n$/],
])('a %s with a URL that is too long is answered 413, with a body where there may be one', async (method, end) => {
  const gateway = await startTestGateway();
  try {
    const answer = await sendBytes(gateway.url, Buffer.from(`${method} /${'x'.repeat(17_000)} HTTP/1.1\r\nhost: a\r\n\r\n`));
    expect(statusesIn(answer)).toEqual([413]);
    expect(answer).toMatch(end);
  } finally {
    await gateway.stop();
  }
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

  const HEADERS = 'GET /livez HTTP/1.1\r\nhost: a\r\nx-slow:';
  const BODY =
    'POST /graphql HTTP/1.1\r\nhost: a\r\nauthorization: TOKEN\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{';
  test.each([
    ['with its headers', HEADERS, false],
    ['with its body', BODY, false],
    ['before it says anything', '', false],
    ['with its headers, of which it sends a byte now and then', HEADERS, true],
    ['with its body, of which it sends a byte now and then', BODY, true],
  ])('%s loses its connection', async (_, start, goesOn) => {
    const { hostname, port } = new URL(gateway.url);
    // It does not close what the gateway has closed.
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: goesOn });
    const sending = setInterval(() => goesOn && socket.write('x'), 100);
    const received = await new Promise<string>((resolve) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      // Whoever goes on sending hears that the connection is gone.
      socket.on('error', () => undefined).on('close', () => resolve(received));
      socket.write(start.replace('TOKEN', gateway.adminToken));
    });
    clearInterval(sending);
    expect(received).toMatch(/^($|HTTP\/1\.1 408 .*"name":"RequestTimeoutError")/s);
  });
});

describe('a body that is too large', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const body = 'x'.repeat(5_000_000);
  test.each([
    ['with its length', `content-length: ${body.length}\r\n\r\n${body}`],
    ['in a chunk', `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ])('%s → who sends all of it before reading is answered 413, and may send the next request', async (_, rest) => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname).pause();
    const start = `POST /graphql HTTP/1.1\r\nhost: a\r\nauthorization: ${gateway.adminToken}\r\ncontent-type: application/json\r\n`;
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject).write(`${start}${rest}`, () => resolve());
    });
    socket.write('GET /livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    expect(statusesIn(await text(socket))).toEqual([413, 200]);
  });
});
