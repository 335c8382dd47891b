import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';
import { waitUntil } from '../support/wait-until.js';
import { openWebsocket } from '../support/websocket.js';

const FEED = 'subscription Feed { eventFeed(after: "now") { cursor upToDate } }';
const OTHER = 'subscription Other { eventFeed(after: "now") { cursor } }';
const ID = createHash('sha256').update(FEED).digest('hex');
const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };

/** Opens a WebSocket that is authenticated. */
async function connect(gateway: TestGateway, token = gateway.adminToken) {
  const connection = openWebsocket(gateway.url, { headers: { authorization: token } });
  await connection.opened;
  connection.send({ type: 'connection_init' });
  await connection.next();
  return { ...connection, subscribe: (id: string, payload: object) => connection.send({ type: 'subscribe', id, payload }) };
}

/** Opens a stream of server-sent events. */
function openSse(
  gateway: TestGateway,
  request: object,
  options: { readonly token?: string; readonly signal?: AbortSignal } = {},
) {
  const { token = gateway.adminToken, ...rest } = options;
  const body = JSON.stringify(request);
  return fetch(`${gateway.url}/graphql`, { method: 'POST', headers: { ...headers, authorization: token }, body, ...rest });
}

describe('subscriptions of a gateway that runs trusted documents only', () => {
  let folder: string;
  let gateway: TestGateway;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-documents-'));
    const file = path.join(folder, 'documents.json');
    await writeFile(file, JSON.stringify({ [ID]: FEED }));
    gateway = await startTestGateway('log', { TRUSTED_DOCUMENTS: 'require', TRUSTED_DOCUMENTS_FILES: file });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('a listed document by its id → runs, over each transport', async () => {
    const { socket, next, subscribe } = await connect(gateway);
    subscribe('1', { query: '', documentId: ID });
    subscribe('2', { query: '', extensions: { persistedQuery: { version: 1, sha256Hash: ID } } });
    const found = [await next(), await next()];
    expect(found.map((message) => message?.type)).toEqual(['next', 'next']);
    socket.close();
    const { body } = await openSse(gateway, { documentId: ID });
    const { value } = (await body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain('"upToDate":true');
  });

  test('a document as text, or with an unknown id → an error', async () => {
    const { socket, next, subscribe } = await connect(gateway);
    subscribe('1', { query: OTHER });
    expect(await next()).toMatchObject({ type: 'error', id: '1', payload: [{ extensions: { name: 'PermissionError' } }] });
    subscribe('2', { query: '', documentId: 'f'.repeat(64) });
    expect(await next()).toMatchObject({ type: 'error', id: '2', payload: [{ extensions: { name: 'BadDataError' } }] });
    socket.close();
    expect((await openSse(gateway, { query: OTHER })).status).toBe(403);
  });

  test('a gateway that stops → streams end with a last page, and WebSockets with 1001', async () => {
    const { next, subscribe, closed } = await connect(gateway);
    subscribe('1', { query: '', documentId: ID });
    expect(await next()).toMatchObject({ type: 'next' });
    const sse = await openSse(gateway, { documentId: ID });
    const startedAt = performance.now();
    await gateway.stop();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(await text(sse.body as never)).toMatch(/event: next\ndata: [^\n]+\n\nevent: complete\ndata:\n\n$/);
    expect(await next()).toMatchObject({ type: 'next', id: '1', payload: { data: { eventFeed: { upToDate: true } } } });
    expect(await next()).toEqual({ type: 'complete', id: '1' });
    expect(await closed).toEqual({ code: 1001, reason: 'The gateway stops.' });
  });
});

describe('limits of subscriptions', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway('log', { GRAPHQL_COST_PER_MINUTE: '20000', FEED_STREAMS: '4', FEED_STREAMS_PER_TOKEN: '3' });
  });
  afterAll(() => gateway.stop());

  test('more WebSockets than a token, or all together, may have → are refused until one is closed', async () => {
    const ofAdmin = await Promise.all([1, 2, 3].map(() => connect(gateway)));
    const fourth = await connect(gateway);
    expect(await fourth.closed).toMatchObject({
      code: 1013,
      reason: expect.stringContaining('You have 3 WebSockets open'),
    });
    const ofViewer = await connect(gateway, gateway.viewerToken);
    const fifth = await connect(gateway, await gateway.createToken({ name: 'another' }));
    expect(await fifth.closed).toMatchObject({ code: 1013, reason: expect.stringContaining('as it can serve') });
    for (const { socket } of [...ofAdmin, ofViewer]) socket.close();
    await Promise.all([...ofAdmin, ofViewer].map(({ closed }) => closed));
    const again = await connect(gateway);
    again.socket.close();
    await again.closed;
  });

  test('clients that leave while their stream starts → do not count any longer', async () => {
    for (let index = 0; index < 40; index += 1) {
      const leaving = new AbortController();
      const request = openSse(gateway, { query: FEED }, { signal: leaving.signal }).catch(() => undefined);
      await setTimeout(index % 20);
      leaving.abort();
      await request;
    }
    await waitUntil('a token has all its streams again', async () => {
      const streams = await Promise.all([1, 2, 3].map(() => openSse(gateway, { query: FEED })));
      await Promise.all(streams.map(({ body }) => body?.cancel()));
      return streams.every(({ status }) => status === 200);
    });
  });

  test('a stream above the limit → 429, with the retry-after of that limit instead of the budget', async () => {
    const open: Response[] = [];
    // Streams that earlier clients have left may still be open.
    await waitUntil('three streams are open', async () => {
      const stream = await openSse(gateway, { query: FEED });
      if (stream.status === 200) open.push(stream);
      return open.length === 3;
    });
    const { status, headers } = await openSse(gateway, { query: FEED });
    expect([status, headers.get('retry-after')]).toEqual([429, '5']);
    await Promise.all(open.map(({ body }) => body?.cancel()));
  });

  test('a caller without budget → 429 before the document is read, over each transport', async () => {
    const { next, subscribe, socket } = await connect(gateway, gateway.viewerToken);
    for (let index = 1; index <= 200; index += 1) {
      subscribe(String(index), { query: 'subscription { nothing }' });
      expect((await next())?.payload).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    }
    subscribe('last', { query: 'not a document' });
    expect((await next())?.payload).toMatchObject([
      { message: expect.stringContaining('nothing left of your budget'), extensions: { code: 'RATE_LIMITED' } },
    ]);
    socket.close();
    const sse = await openSse(gateway, { query: 'not a document' }, { token: gateway.viewerToken });
    expect({ status: sse.status, retry: sse.headers.get('retry-after') }).toEqual({ status: 429, retry: expect.any(String) });
  });
});
