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
    ['of a proxy → kept', 'edge-1:4f2a/7', 'edge-1:4f2a/7'],
    ['with special characters → replaced', 'a b"\\', expect.stringMatching(UUID)],
    ['that is too long → replaced', 'x'.repeat(129), expect.stringMatching(UUID)],
  ])('%s, and in the response and the log', async (_, sent, expected) => {
    const { headers } = await gateway.send(SEARCH, { headers: { 'x-request-id': sent } });
    expect(headers['x-request-id']).toEqual(expected);
    const line = gateway.log.map((text) => JSON.parse(text)).find(({ requestId }) => requestId === headers['x-request-id']);
    expect(line).toMatchObject({ msg: 'request', status: 200 });
  });

  test('of a request that fails, even without a route → in the response', async () => {
    for (const path of ['/api/admin/nothing', '/nothing', '/api/admin/events/%E0%A4%A']) {
      expect((await gateway.send(path, { headers: { 'x-request-id': 'a' } })).headers['x-request-id']).toBe('a');
    }
  });
});

test('a # in the URL → ends the path', async () => {
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
])('a %s with a URL that is too long → 413, with a body unless it is a HEAD', async (method, end) => {
  const gateway = await startTestGateway();
  try {
    const response = await sendBytes(gateway.url, Buffer.from(`${method} /${'x'.repeat(17_000)} HTTP/1.1\r\nhost: a\r\n\r\n`));
    expect(statusesIn(response)).toEqual([413]);
    expect(response).toMatch(end);
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

  test('by default → may not read responses', async () => {
    const gateway = await startTestGateway();
    try {
      expect((await preflight(gateway, 'https://portal.example')).headers).not.toHaveProperty('access-control-allow-origin');
      const { headers } = await gateway.send(SEARCH, { headers: { origin: 'https://portal.example' } });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    } finally {
      await gateway.stop();
    }
  });

  test('listed in CORS_ORIGINS → may read responses; others → may not', async () => {
    const gateway = await startTestGateway('empty', { CORS_ORIGINS: 'https://portal.example' });
    try {
      const allowed = await preflight(gateway, 'https://portal.example');
      expect(allowed).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': 'https://portal.example' } });
      const response = await gateway.send(SEARCH, { headers: { origin: 'https://portal.example' } });
      expect(response).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': 'https://portal.example' } });
      const exposed = String(response.headers['access-control-expose-headers']).split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'link', 'x-feed-cursor']));
      const other = await preflight(gateway, 'https://evil.example');
      expect(other.headers['access-control-allow-origin']).not.toBe('https://evil.example');
    } finally {
      await gateway.stop();
    }
  });
});

describe('a slow client', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('empty', { REQUEST_TIMEOUT_MS: '300', IDLE_TIMEOUT_MS: '300' });
  });
  afterAll(() => gateway.stop());

  const HEADERS = 'GET /livez HTTP/1.1\r\nhost: a\r\nx-slow:';
  const BODY =
    'POST /graphql HTTP/1.1\r\nhost: a\r\nauthorization: TOKEN\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{';
  test.each([
    ['that stops within its headers', HEADERS, false],
    ['that stops within its body', BODY, false],
    ['that sends nothing', '', false],
    ['that sends its headers byte by byte', HEADERS, true],
    ['that sends its body byte by byte', BODY, true],
  ])('%s → its connection is closed', async (_, start, keepsSending) => {
    const { hostname, port } = new URL(gateway.url);
    // A client that keeps sending leaves its side open when the gateway closes the other side.
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: keepsSending });
    const sending = setInterval(() => keepsSending && socket.write('x'), 100);
    const received = await new Promise<string>((resolve) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      // A client that keeps sending gets an error once the connection is closed.
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
  ])('%s, sent completely before reading → 413, and the next request on the connection → 200', async (_, rest) => {
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
