import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { handleInOrder } from '../../src/http/pipelined-requests.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway('log', { DATABASE_POOL_SIZE: '2' });
});
afterAll(() => gateway.stop());

test('two thousand pipelined requests on one connection → each gets its response, in order', async () => {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const count = 2_000;
  const received = text(socket);
  for (let n = 0; n < count; n += 1) {
    const isLast = n === count - 1;
    socket.write(
      `GET /api/admin/search/events?limit=1&offset=${n % 7} HTTP/1.1\r\nhost: a\r\nauthorization: ${gateway.viewerToken}\r\nx-request-id: request-${n}\r\n${isLast ? 'connection: close\r\n' : ''}\r\n`,
    );
  }
  const responses = (await received).match(/^x-request-id: .*$/gm) ?? [];
  expect(responses).toEqual(Array.from({ length: count }, (_, n) => `x-request-id: request-${n}`));
});

/** The size of about 42 waiting requests, far less than in the gateway. */
const MAX_BYTES = 130_000;

describe('a server that handles requests in order', () => {
  const log = pino({ enabled: false });
  let handled: { readonly url: string; readonly end: () => void }[];
  let server: Server;
  let port: number;
  let sockets: Socket[];
  let connections: Socket[];
  beforeEach(async () => {
    handled = [];
    sockets = [];
    connections = [];
    const listener = handleInOrder(
      ({ url = '' }, response) => {
        handled.push({ url, end: () => response.end(url) });
      },
      log,
      { waiting: 16, bytes: MAX_BYTES, bytesTogether: MAX_BYTES },
    );
    server = createServer(listener).listen(0, '127.0.0.1');
    server.on('connection', (socket) => connections.push(socket));
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  const send = (paths: readonly string[]): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''));
    return socket.resume();
  };
  const urls = () => handled.map(({ url }) => url);
  const countConnections = () => promisify(server.getConnections.bind(server))();

  test('forty requests on one connection → each is handled once the response before it is sent', async () => {
    const paths = Array.from({ length: 40 }, (_, n) => `/${n}`);
    send(paths);
    // When this request is handled, the server has read all requests before it.
    await waitUntil('the first request is handled', () => handled.length === 1);
    send(['/other']);
    await waitUntil('the request of the other connection is handled', () => handled.length === 2);
    handled.pop()?.end();
    for (let ended = 1; ended <= 40; ended += 1) {
      expect(urls()).toEqual(paths.slice(0, ended));
      handled[ended - 1]?.end();
      await waitUntil('the next request is handled', () => handled.length > ended || ended === 40);
    }
  });

  test('fifty requests, sent one by one → the server reads no more once sixteen wait', async () => {
    const socket = send(['/0']);
    await waitUntil('the first request is handled', () => handled.length === 1);
    const [connection] = connections;
    for (let n = 1; n <= 50; n += 1) {
      socket.write(`GET /${n} HTTP/1.1\r\nhost: a\r\n\r\n`);
      await setImmediate();
    }
    // When this request is handled, the server has read all that it reads.
    send(['/other']);
    await waitUntil('the request of the other connection is handled', () => handled.length === 2);
    expect(connection?.isPaused()).toBe(true);
    handled.pop()?.end();
    for (let ended = 1; ended <= 50; ended += 1) {
      handled[ended - 1]?.end();
      await waitUntil('the next request is handled', () => handled.length > ended);
    }
    expect(urls().at(-1)).toBe('/50');
  });

  test('a client that disconnects → its waiting requests are not handled', async () => {
    const socket = send(['/1', '/2', '/3']);
    await waitUntil('the first request is handled', () => handled.length === 1);
    socket.destroy();
    await waitUntil('the server has noticed it', async () => (await countConnections()) === 0);
    handled[0]?.end();
    send(['/other']);
    await waitUntil('another request is handled', () => handled.length === 2);
    expect(urls()).toEqual(['/1', '/other']);
  });

  test('too many waiting requests → the connection with the most is reset, and no others', async () => {
    const paths = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`);
    const clients: Socket[] = [];
    for (const [index, count] of [25, 15, 2].entries()) {
      clients.push(send(paths(count)));
      await waitUntil('its first request is handled', () => handled.length === index + 1);
    }
    clients.push(send(paths(10)));
    await waitUntil('a connection is reset', () => clients.some(({ destroyed }) => destroyed));
    expect(clients.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
    handled[2]?.end();
    await waitUntil('the last request of the third connection is handled', () => urls().at(-1) === '/1');
  });

  test('large headers → fewer requests wait', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket.resume());
    const headers = Array.from({ length: 300 }, (_, n) => `x${n}: y`)
      .concat('host: a')
      .join('\r\n');
    socket.write(`GET / HTTP/1.1\r\n${headers}\r\n\r\n`.repeat(8));
    await waitUntil('the connection is reset', () => socket.destroyed);
    expect(handled).toHaveLength(1);
  });
});

const UPGRADE =
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
test.each([
  ['a WebSocket', 'GET /graphql', UPGRADE],
  ['CONNECT', 'CONNECT a:1', ''],
])('%s behind an unfinished request → the connection is closed without another response', async (_, line, more) => {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const headers = `host: a\r\nauthorization: ${gateway.viewerToken}\r\n`;
  const stream = `GET /v1/events/feed?after=now HTTP/1.1\r\n${headers}accept: text/event-stream\r\n\r\n`;
  socket.write(`${stream}${line} HTTP/1.1\r\n${headers}${more}\r\n`);
  expect(await text(socket)).toBe('');
});

test('HEAD on the events of a flag and on a search → the headers of GET without reading the events', async () => {
  for (const path of ['events/bulk-flag', 'search/events?limit=1000']) {
    const head = await gateway.send(`/api/admin/${path}`, { method: 'HEAD' });
    const get = await gateway.send(`/api/admin/${path}`);
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', get.headers.etag]);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
  }
});
