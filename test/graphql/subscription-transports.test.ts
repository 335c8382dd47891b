import { connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendBytes, statusesIn } from '../support/send-raw.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';
import { openWebsocket } from '../support/websocket.js';

const FEED = 'subscription { eventFeed(after: "now") { cursor upToDate } }';
const SSE = { accept: 'text/event-stream' };
const MULTIPART = { accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json' };

/** More than the operating system buffers for both directions of a connection. */
const SENT_BYTES = 24_000_000;

type Connection = ReturnType<typeof openWebsocket>;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('log', { CORS_ORIGINS: 'https://console.example.com' });
});
afterAll(() => gateway.stop());

const init = (token = gateway.adminToken) => ({ type: 'connection_init', payload: { authorization: token } });
const subscribe = (id: string, payload: object = { query: FEED }) => ({ type: 'subscribe', id, payload });

/** Opens a WebSocket that is authenticated. */
async function connect() {
  const connection = openWebsocket(gateway.url);
  await connection.opened;
  connection.send(init());
  expect(await connection.next()).toEqual({ type: 'connection_ack' });
  return connection;
}

describe('streams over HTTP', () => {
  /** Reads the beginning of a stream. */
  const readStart = async (accept: object, token = gateway.adminToken) => {
    const stop = new AbortController();
    const headers = { authorization: token, 'content-type': 'application/json', ...accept };
    const body = JSON.stringify({ query: FEED });
    const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body, signal: stop.signal });
    const { value } = (await response.body?.getReader().read()) ?? {};
    stop.abort();
    return { response, text: new TextDecoder().decode(value) };
  };

  test('text/event-stream → an event with the result, at once', async () => {
    const { response, text } = await readStart(SSE);
    expect(text).toMatch(/^event: next\ndata: \{"data":\{"eventFeed":\{"cursor":"[\w-]+","upToDate":true\}\}\}\n\n$/);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('ratelimit-limit')).toBe('1000000');
  });

  test('multipart/mixed for subscriptions → a part with the result, and the boundary that ends it', async () => {
    const { response, text } = await readStart(MULTIPART);
    expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary="graphql";subscriptionSpec=1.0');
    expect(text).toMatch(
      /^\r\n--graphql\r\ncontent-type: application\/json\r\n\r\n\{"payload":\{"data":\{"eventFeed":.*\}\}\}\r\n--graphql$/,
    );
  });

  test('a client that prefers JSON, as urql does for queries → a normal response', async () => {
    const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';
    const { status, body } = await gateway.graphql('{ __typename }', {}, { headers: { accept } });
    expect({ status, body }).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
  });

  test.each([
    ['a client that accepts JSON only', 'POST', { accept: 'application/json' }],
    ['parts for @defer', 'POST', { accept: 'multipart/mixed;deferSpec=20220824,application/json' }],
  ])('a subscription with %s → 406 that names the transports', async (_, method, headers) => {
    const { status, body } = await gateway.graphql(FEED, {}, { method, headers });
    expect(status).toBe(406);
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('text/event-stream'),
      extensions: { code: 'NOT_ACCEPTABLE', name: 'NotAcceptableError' },
    });
  });

  test.each([
    ['query', '{ viewer { name } }'],
    ['mutation', 'mutation { createPublicSignupToken(input: { name: "x", expiresAt: "2030-01-01T00:00:00Z" }) { name } }'],
  ])('a %s → is not run', async (_, query) => {
    const { text } = await gateway.graphql(query, {}, { headers: SSE });
    expect(text).toContain('Only subscriptions are streamed.');
    expect(text).toMatch(/\n\nevent: complete\ndata:\n\n$/);
    expect(await gateway.prisma.publicSignupToken.count()).toBe(0);
  });

  test('errors of the document → in the stream, as graphql-sse specifies; parts as Apollo specifies', async () => {
    const sse = await gateway.graphql('subscription { nothing }', {}, { headers: SSE });
    expect(sse.status).toBe(200);
    expect(sse.text).toMatch(/^event: next\ndata: \{"errors":\[.*GRAPHQL_VALIDATION_FAILED.*\]\}\n\nevent: complete\ndata:\n\n$/);
    const multipart = await gateway.graphql('subscription { nothing }', {}, { headers: MULTIPART });
    expect(multipart.text).toMatch(/\{"payload":null,"errors":\[.*\]\}\r\n--graphql--\r\n$/s);
  });

  test('an event whose JSON has line breaks → one line', async () => {
    const { next } = (await gateway.send('/v1/events/feed?after=now')).body;
    const [{ id }] = await gateway.prisma.$queryRaw<[{ id: number }]>`
      INSERT INTO events (type, created_by, data) VALUES ('feature-created', 'test', ${'{"lines":\r\n1}'}::json) RETURNING id`;
    const query = `subscription { eventFeed(after: "${next}") { events { id data } } }`;
    const stop = new AbortController();
    const headers = { authorization: gateway.adminToken, 'content-type': 'application/json', ...SSE };
    const request = { method: 'POST', headers, body: JSON.stringify({ query }), signal: stop.signal };
    let text = '';
    for await (const chunk of (await fetch(`${gateway.url}/graphql`, request)).body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes(`"id":${id}`) && text.endsWith('\n\n')) break;
    }
    stop.abort();
    expect(text).toContain(`{"id":${id},"data":{"lines": 1}}`);
    await gateway.prisma.event.delete({ where: { id } });
  });

  test('no token → 401; a body that is not a request → 400', async () => {
    expect((await gateway.graphql(FEED, {}, { token: null, headers: SSE })).status).toBe(401);
    const { status, body } = await gateway.postJson('/graphql', { query: 1, variables: [] }, { headers: SSE });
    expect(status).toBe(400);
    expect(body.errors[0].extensions.details.map(({ path }: { path: string }) => path)).toEqual(['query', 'variables']);
  });

  test('a document over a limit → is rejected', async () => {
    const nested = `subscription { ${'a { '.repeat(70)}${'} '.repeat(70)} }`;
    expect((await gateway.graphql(nested, {}, { headers: SSE })).body.errors[0].message).toContain('nested');
    const aliases = Array.from({ length: 40 }, (_, index) => `a${index}: cursor`).join(' ');
    const { text } = await gateway.graphql(`subscription { eventFeed(after: "now") { ${aliases} } }`, {}, { headers: SSE });
    expect(text).toContain('Aliases limit of 30 exceeded');
    const changes = 'a: changes { complete } b: changes { complete } c: changes { complete }';
    const costly = `subscription { eventFeed(after: "now", batch: 1000) { events { ${changes} } } }`;
    expect((await gateway.graphql(costly, {}, { headers: SSE })).text).toMatch(/costs \d+, more than the limit of 5000/);
  });
});

describe('WebSockets', () => {
  test('the token in the header of the upgrade → no token in the first message is needed', async () => {
    const connection = openWebsocket(gateway.url, { headers: { authorization: gateway.adminToken } });
    await connection.opened;
    connection.send({ type: 'connection_init' });
    expect(await connection.next()).toEqual({ type: 'connection_ack' });
    connection.send(subscribe('1'));
    expect(await connection.next()).toMatchObject({
      type: 'next',
      id: '1',
      payload: { data: { eventFeed: { upToDate: true } } },
    });
    connection.send({ type: 'complete', id: '1' });
    connection.socket.close();
    await connection.closed;
  });

  test('a wrong token → 401 at the upgrade, and 4401 in the first message', async () => {
    expect(await openWebsocket(gateway.url, { headers: { authorization: 'wrong' } }).refused).toBe(401);
    for (const message of [init('wrong'), { type: 'connection_init' }]) {
      const connection = openWebsocket(gateway.url);
      await connection.opened;
      connection.send(message);
      expect(await connection.closed).toMatchObject({ code: 4401 });
    }
  });

  test('a subscription before the first message, or no message → the connection is closed', async () => {
    const early = openWebsocket(gateway.url);
    await early.opened;
    early.send(subscribe('1'));
    expect(await early.closed).toMatchObject({ code: 4401 });
    const silent = openWebsocket(gateway.url);
    expect(await silent.closed).toMatchObject({ code: 4408 });
  });

  test.each([
    ['an unknown origin', { origin: 'https://evil.example' }, 403],
    ['an opaque origin', { origin: 'null' }, 403],
    ['a page of the same site', { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' }, 403],
  ])('a page of %s → 403, also with a token', async (_, headers, status) => {
    const connection = openWebsocket(gateway.url, { headers: { ...headers, authorization: gateway.adminToken } });
    expect(await connection.refused).toBe(status);
  });

  test('a page of the same origin, or of one in CORS_ORIGINS → a WebSocket', async () => {
    // A proxy that terminates TLS changes the protocol, or also the host.
    const behindProxy = { origin: 'https://flags.example.com', 'sec-fetch-site': 'same-origin' };
    const origins = [gateway.url, gateway.url.replace('http:', 'https:'), 'https://console.example.com'];
    for (const headers of [...origins.map((origin) => ({ origin })), behindProxy]) {
      const connection = openWebsocket(gateway.url, { headers });
      await connection.opened;
      expect(connection.socket.readyState).toBe(connection.socket.OPEN);
      connection.socket.close();
      await connection.closed;
    }
  });

  test('an event with long numbers → every digit of them', async () => {
    const { socket, send } = await connect();
    const received = new Promise<string>((resolve) => {
      socket.on('message', (data) => String(data).includes('"big"') && resolve(String(data)));
    });
    send(subscribe('1', { query: 'subscription { eventFeed(after: "start", batch: 1000) { events { data } } }' }));
    expect(await received).toContain('{"a":1,"big":12345678901234567890,"dec":1.10,"dup":1,"dup":2}');
    socket.close();
  });

  test('a query and a mutation → refused, and the connection stays', async () => {
    const { socket, send, next } = await connect();
    for (const query of ['{ viewer { name } }', 'mutation { __typename }']) {
      send(subscribe('1', { query }));
      expect(await next()).toMatchObject({
        type: 'error',
        id: '1',
        payload: [{ message: expect.stringContaining('Only subscriptions') }],
      });
    }
    send({ type: 'ping' });
    expect(await next()).toEqual({ type: 'pong' });
    socket.close();
  });

  test('more subscriptions than a connection may have → an error for those beyond', async () => {
    const { socket, send, next } = await connect();
    for (let index = 1; index <= 17; index += 1) send(subscribe(String(index)));
    const found = await Promise.all(Array.from({ length: 17 }, next));
    expect(found.filter((message) => message?.type === 'next')).toHaveLength(16);
    expect(found.find((message) => message?.type === 'error')?.payload).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    socket.close();
  });

  test('more than a hundred subscriptions beyond the limit → the connection is closed', async () => {
    const { send, closed } = await connect();
    for (let index = 1; index <= 16 + 100; index += 1) send(subscribe(String(index)));
    expect(await closed).toMatchObject({ code: 1013, reason: expect.stringContaining('at most 16 subscriptions') });
  });

  test.each([
    ['messages', ({ send }: Connection) => send({ type: 'ping', payload: { text: 'x'.repeat(16_000) } })],
    ['frames', ({ socket }: Connection) => socket.ping('x'.repeat(125))],
  ])('a client that sends pings as %s and reads no response → the gateway stops to read', async (_, ping) => {
    const connection = await connect();
    const { socket, send, next } = connection;
    socket.pause();
    // The operating systems of the client and of the gateway buffer some megabytes. The further pings stay in the memory of the client.
    for (let sent = 0; sent < SENT_BYTES; sent += 1_000_000) {
      const before = socket.bufferedAmount;
      while (socket.bufferedAmount - before < 1_000_000) ping(connection);
      await setTimeout(5);
    }
    await setTimeout(200);
    expect(socket.bufferedAmount).toBeGreaterThan(1_000_000);
    socket.resume();
    await waitUntil('all messages are sent', () => socket.bufferedAmount === 0);
    send({ type: 'ping', payload: { isLast: true } });
    let pong = await next();
    while (pong && !pong.payload.isLast) pong = await next();
    expect(pong).toEqual({ type: 'pong', payload: { isLast: true } });
    socket.terminate();
  });

  test('a client that does not close its side → is disconnected soon', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connectSocket(Number(port), hostname);
    const upgrade = `GET /graphql HTTP/1.1\r\nhost: x\r\nauthorization: ${gateway.adminToken}\r\nconnection: upgrade\r\nupgrade: websocket`;
    socket.write(
      `${upgrade}\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${'a'.repeat(22)}==\r\nsec-websocket-protocol: other\r\n\r\n`,
    );
    expect(await text(socket)).toContain('101 Switching Protocols');
  }, 10_000);

  test.each([
    ['text that is not JSON', 'nothing', 4400],
    ['an unknown type', { type: 'unknown' }, 4400],
    ['a message for servers only', { type: 'next', id: '1', payload: {} }, 4400],
    ['deep JSON', `{"type":"ping","payload":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`, 4400],
    ['a long message', { type: 'ping', payload: { text: 'x'.repeat(110_000) } }, 1009],
  ])('%s → the connection is closed', async (_, message, code) => {
    const { send, closed } = await connect();
    send(message);
    expect(await closed).toMatchObject({ code });
  });

  test('another protocol, another path → no WebSocket', async () => {
    const connection = openWebsocket(gateway.url, {}, 'graphql-ws');
    expect(await connection.closed).toMatchObject({ code: expect.any(Number) });
    const search = openWebsocket(`${gateway.url}/api/admin/search/events?`);
    expect(await search.refused).toBe(401);
  });

  test.each([
    ['without a key', 'sec-websocket-version: 13'],
    ['of an unknown version', `sec-websocket-version: 99\r\nsec-websocket-key: ${'a'.repeat(22)}==`],
  ])('an upgrade %s → the error body, and the version', async (_, headers) => {
    const request = `GET /graphql HTTP/1.1\r\nHost: x\r\nauthorization: ${gateway.adminToken}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n${headers}\r\n\r\n`;
    const response = await sendBytes(gateway.url, Buffer.from(request));
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nsec-websocket-version: 13$/);
    expect(JSON.parse(body)).toMatchObject({ id: expect.any(String), name: 'BadDataError', message: expect.any(String) });
  });

  test('a client that offers HTTP/2, as that of Java does → a normal response', async () => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
    expect((await gateway.send('/api/admin/search/events?limit=1', { headers })).body.events).toHaveLength(1);
    const { status, body } = await gateway.graphql('{ viewer { name } }', {}, { headers });
    expect({ status, body }).toEqual({ status: 200, body: { data: { viewer: { name: 'test admin' } } } });
  });

  test.each(['Connection', 'Proxy-Connection'])('an unknown upgrade by %s → a normal response', async (name) => {
    const request = `GET /livez HTTP/1.1\r\nHost: x\r\n${name}: upgrade\r\nConnection: close\r\nUpgrade: foo\r\n\r\n`;
    expect(statusesIn(await sendBytes(gateway.url, Buffer.from(request)))).toEqual([200]);
  });

  test('an unknown upgrade with so many headers that Node.js leaves some out → no response, and the body is no request', async () => {
    const inner = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
    const many = 'a: b\r\n'.repeat(1_100);
    const request = `POST /livez HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: foo\r\n${many}Content-Length: ${inner.length}\r\n\r\n${inner}`;
    expect(await sendBytes(gateway.url, Buffer.from(request))).toBe('');
  });
});
