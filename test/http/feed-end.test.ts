import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { chooseFeedFormat, toEmptyPage } from '../../src/rest/feed-format.js';
import { streamFeed } from '../../src/rest/stream-feed.js';
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
  while (found.some((messages) => messages.length === 0)) await new Promise((resolve) => setTimeout(resolve, 10));
  const startedAt = performance.now();
  await gateway.stop();
  await Promise.all(reading);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  for (const messages of found) expect(messages.at(-1)).toEqual({ cursor: expect.any(String), upToDate: true });
  expect((await poll).body).toMatchObject({ events: [], next: expect.any(String) });
});

test('a client that reads nothing → its connection is reset, and the pages end', async () => {
  let isReset = false;
  let areEnded = false;
  const socket = {
    setTimeout: () => undefined,
    resetAndDestroy: () => {
      isReset = true;
    },
  };
  async function* readPages() {
    try {
      for (;;) yield toEmptyPage({ cursor: 'cursor', upToDate: true });
    } finally {
      areEnded = true;
    }
  }
  const format = chooseFeedFormat('text/event-stream');
  if (!format) throw new Error('There is no format.');
  const pages = readPages();
  const log = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const first = await pages.next();
  const text = streamFeed(
    pages,
    { first, format, endsWhenUpToDate: false, stuckMs: 20 },
    { raw: { socket: socket as never }, log },
  );
  expect((await text.next()).value).toMatch(/^retry: 3000\n\nid: cursor\nevent: progress\ndata: \{"upToDate":true\}\n\n$/);
  await text.next();
  expect(isReset).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isReset).toBe(true);
  await text.return(undefined);
  expect(areEnded).toBe(true);
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
