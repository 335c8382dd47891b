import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { sendStream } from '../../src/http/stream-response.js';
import { chooseFeedFormat, type TextPage, toEmptyPage } from '../../src/rest/feed-format.js';
import { startPages, streamFeed } from '../../src/rest/stream-feed.js';
import { type FeedMessage, openFeed } from '../support/read-feed.js';
import { startTestGateway } from '../support/test-gateway.js';

test('the gateway stops → streams and long polls end with a cursor, and at once', async () => {
  const gateway = await startTestGateway('empty');
  const streams = await Promise.all(
    (['sse', 'ndjson'] as const).map((format) => openFeed(gateway.url, 'after=now', { token: gateway.adminToken, format })),
  );
  const found: FeedMessage[][] = streams.map(() => []);
  const reading = streams.map(async ({ messages }, index) => {
    for await (const message of messages) found[index]?.push(message);
  });
  const poll = gateway.send('/v1/events/feed?after=now&wait=30');
  while (found.some((messages) => messages.length === 0)) await setTimeout(10);
  const startedAt = performance.now();
  await gateway.stop();
  await Promise.all(reading);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  for (const messages of found) expect(messages.at(-1)).toEqual({ cursor: expect.any(String), upToDate: true });
  expect((await poll).body).toMatchObject({ events: [], next: expect.any(String) });
});

test('a long poll that is longer than the idle timeout of connections → waits to its end', async () => {
  const gateway = await startTestGateway('empty', { IDLE_TIMEOUT_MS: '700' });
  const { status, body } = await gateway.send('/v1/events/feed?after=start&wait=2');
  expect([status, body.events]).toEqual([200, []]);
  await gateway.stop();
});

/** Serves pages as a stream that resets stuck clients after `stuckMs`, and requests it. */
async function servePages(
  pages: AsyncGenerator<TextPage>,
  stuckMs: number,
  onRequest: (socket: Socket) => void = () => undefined,
) {
  const format = chooseFeedFormat('text/event-stream');
  if (!format) throw new Error('There is no format.');
  const app = Fastify();
  app.get('/', async (request, reply) => {
    onRequest(request.socket);
    const texts = streamFeed(await startPages(pages), format, request.log);
    return sendStream(request, reply, format.contentType, texts, stuckMs);
  });
  const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return { app, socket, closed };
}

/** More than the operating system buffers for one connection. */
const LARGE_PAGE: TextPage = { ...toEmptyPage({ cursor: 'x'.repeat(30_000_000), upToDate: true }) };

test('a client that reads nothing → its connection is reset, and the pages end', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* readPages() {
    try {
      for (;;) yield LARGE_PAGE;
    } finally {
      end();
    }
  }
  const { app, socket, closed } = await servePages(readPages(), 400);
  socket.pause();
  await ended;
  socket.resume();
  await closed;
  expect(socket.bytesRead).toBeLessThan(30_000_000);
  await app.close();
});

test('a client that does not read the end of a stream → its connection is closed', async () => {
  let served: Socket | undefined;
  async function* readPages() {
    // Once the operating system takes no more, Node.js still takes a short text, so the stream can end.
    while (served?.writableLength === 0) {
      yield toEmptyPage({ cursor: 'x'.repeat(8_000), upToDate: true });
      await setImmediate();
    }
  }
  const { app, socket, closed } = await servePages(readPages(), 400, (accepted) => {
    served = accepted;
  });
  socket.pause();
  await once(served ?? (await once(app.server, 'connection'))[0], 'close');
  socket.resume();
  await closed;
  await app.close();
});

test('a client that takes long for one page → gets it', async () => {
  async function* readPages() {
    yield LARGE_PAGE;
  }
  // On a busy machine, the client reads nothing for a part of this time.
  const stuckMs = 1_500;
  const { app, socket, closed } = await servePages(readPages(), stuckMs);
  const startedAt = performance.now();
  let [received, end] = [0, ''];
  for await (const chunk of socket) {
    received += chunk.length;
    end = String(chunk.subarray(-5));
    if (end === '0\r\n\r\n') break;
    // A chunk has at most 64 KiB, so there are more than 450.
    await setTimeout(7);
  }
  expect(end).toBe('0\r\n\r\n');
  expect(received).toBeGreaterThan(30_000_000);
  expect(performance.now() - startedAt).toBeGreaterThan(2 * stuckMs);
  socket.destroy();
  await closed;
  await app.close();
});

test('a client that disconnects → its stream ends', async () => {
  const gateway = await startTestGateway('empty', { FEED_STREAMS_PER_TOKEN: '1' });
  try {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /v1/events/feed?after=now HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${gateway.adminToken}\r\naccept: text/event-stream\r\n\r\n`,
    );
    await once(socket, 'data');
    expect((await gateway.send('/v1/events/feed?after=now&wait=1')).status).toBe(429);
    socket.resetAndDestroy();
    for (let status = 429; status === 429; ) ({ status } = await gateway.send('/v1/events/feed?after=now&wait=1'));
  } finally {
    await gateway.stop();
  }
});
