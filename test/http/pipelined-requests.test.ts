import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { queuePipelinedRequests } from '../../src/http/pipelined-requests.js';
import { whileQueriesAreHeld } from '../support/hold-queries.js';
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

test('forty pipelined requests on one connection → sixteen are handled at once', async () => {
  const app = Fastify();
  queuePipelinedRequests(app);
  const handled: (() => void)[] = [];
  app.get('/', () => new Promise<string>((resolve) => handled.push(() => resolve('done'))));
  const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const [one, other] = [connect(Number(port), hostname), connect(Number(port), hostname)];
  try {
    one.resume().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(40));
    await waitUntil('sixteen requests are handled', () => handled.length === 16);
    // The limit applies to each connection. When this request is handled, the server has read all requests before it.
    other.resume().write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await waitUntil('the request of the other connection is handled', () => handled.length === 17);
    handled.pop()?.();
    for (let ended = 1; ended <= 24; ended += 1) {
      handled[ended - 1]?.();
      await waitUntil('one more request is handled', () => handled.length >= 16 + ended);
      expect(handled).toHaveLength(16 + ended);
    }
  } finally {
    for (const end of handled) end();
    one.destroy();
    other.destroy();
    await app.close();
  }
});

test('a client that disconnects after pipelined requests → those that wait for their turn end, too', async () => {
  const { hostname, port } = new URL(gateway.url);
  const countLeft = () => gateway.log.filter((line) => line.includes('request rejected: ClientClosedRequest')).length;
  await whileQueriesAreHeld(/\bFROM "?(public"?\.)?"?events\b/, async (countHeld) => {
    const socket = connect(Number(port), hostname);
    const request = (id: number) => {
      const body = `{"query":"{ event(id: ${id}) { id } }"}`;
      const headers = `host: a\r\nauthorization: ${gateway.viewerToken}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
      return `POST /graphql HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
    };
    socket.write([1, 2, 3].map(request).join(''));
    await waitUntil('the first request reads the log', () => countHeld() === 1);
    socket.destroy();
    await waitUntil('the other requests have ended', () => countLeft() === 2);
    expect(countHeld()).toBe(1);
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
