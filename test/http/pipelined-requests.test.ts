import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
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

/** Far fewer than in the gateway. */
const MAX_WAITING_TOGETHER = 40;

describe('a server that handles requests in order', () => {
  const log = pino({ enabled: false });
  let handled: { readonly url: string; readonly end: () => void }[];
  let server: Server;
  let port: number;
  let sockets: Socket[];
  beforeEach(async () => {
    handled = [];
    sockets = [];
    const listener = handleInOrder(
      ({ url = '' }, response) => {
        handled.push({ url, end: () => response.end(url) });
      },
      log,
      MAX_WAITING_TOGETHER,
    );
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
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

  test('too many waiting requests → a connection with several of them is reset, and no others', async () => {
    const paths = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`);
    const sockets: Socket[] = [];
    for (const [index, count] of [1 + MAX_WAITING_TOGETHER / 2, 1 + MAX_WAITING_TOGETHER / 2, 2].entries()) {
      sockets.push(send(paths(count)));
      await waitUntil('its first request is handled', () => handled.length === index + 1);
    }
    const reset = send(paths(3));
    await waitUntil('the connection is reset', () => reset.destroyed);
    handled[2]?.end();
    await waitUntil('the last request of the third connection is handled', () => urls().at(-1) === '/1');
    expect(sockets.some(({ destroyed }) => destroyed)).toBe(false);
  });
});

test('HEAD on the events of a flag and on a search → the headers of GET without reading the events', async () => {
  for (const path of ['events/bulk-flag', 'search/events?limit=1000']) {
    const head = await gateway.send(`/api/admin/${path}`, { method: 'HEAD' });
    const get = await gateway.send(`/api/admin/${path}`);
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', get.headers.etag]);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
  }
});
