import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerCompression } from '../../src/http/compression.js';
import { trackOpenResponses } from '../../src/http/open-responses.js';
import { limitSlowReaders, type SlowReaderLimits } from '../../src/http/slow-readers.js';
import type { RequestContext } from '../../src/request-context.js';
import { waitUntil } from '../support/wait-until.js';

/** A text that, even if it is compressed, is longer than what the operating system buffers for one connection. */
const BODY = randomBytes(12_000_000).toString('base64');
const RESPONSE_BYTES = BODY.length;
/** A response with at least this many bytes is whole. Compression takes a quarter off. */
const WHOLE_BYTES = 12_000_000;
const UNLIMITED: SlowReaderLimits = { maxBytes: Number.POSITIVE_INFINITY, maxStuck: Number.POSITIVE_INFINITY };

let app: FastifyInstance;
afterEach(() => app.close());

/** Starts a server that sends a large response to every request. @returns its port */
async function serve(limits: SlowReaderLimits, connectionTimeout = 0): Promise<number> {
  app = Fastify({ connectionTimeout });
  trackOpenResponses(app);
  app.addHook('onRequest', async (request) => {
    const { 'x-caller': id } = request.headers;
    if (id !== undefined) request.context = { caller: { id } } as RequestContext;
  });
  limitSlowReaders(app, limits);
  registerCompression(app);
  app.get('/', () => BODY);
  app.get('/stream', (_, reply) => reply.type('text/plain').send(Readable.from([Buffer.from(BODY)], { highWaterMark: 0 })));
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
}

interface Client {
  readonly read: () => void;
  readonly bytes: Promise<number>;
}

/** Counts connections with unsent data in the system's buffers, even if they are closed. Null where the system does not show it. */
function countUnsent(port: number): number | null {
  if (process.platform !== 'linux') return null;
  const local = new RegExp(`^ *\\d+: [0-9A-F]{8}:${port.toString(16).toUpperCase().padStart(4, '0')} \\S+ \\S+ (?!0{8})`, 'gm');
  return readFileSync('/proc/net/tcp', 'utf8').match(local)?.length ?? 0;
}

interface ClientOptions {
  readonly isRead: boolean;
  readonly path?: string;
  /** Further lines of the request. */
  readonly headers?: string;
}

function connectClient(port: number, { isRead, path = '/', headers = '' }: ClientOptions): Client {
  const socket = connect({ host: '127.0.0.1', port });
  if (!isRead) socket.pause();
  let received = 0;
  socket.on('data', ({ length }) => {
    received += length;
  });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers}\r\n`);
  const bytes = new Promise<number>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve(received));
  });
  return { read: () => socket.resume(), bytes };
}

/**
 * Connects a client that reads, and then others that start to read only when no more than `left` of them are connected.
 * @param requests the request of each of these others
 */
async function connectClients(port: number, requests: readonly Omit<ClientOptions, 'isRead'>[], left: number): Promise<Client[]> {
  let opened = 0;
  app.server.on('connection', () => {
    opened += 1;
  });
  const reading = connectClient(port, { ...requests[0], isRead: true });
  await reading.bytes;
  const silent = requests.map((request) => connectClient(port, { ...request, isRead: false }));
  await new Promise<void>((resolve) => {
    const polling = setInterval(() => {
      app.server.getConnections((_, count) => {
        if (opened <= silent.length || count > left) return;
        clearInterval(polling);
        resolve();
      });
    }, 50);
  });
  expect(countUnsent(port) ?? 0).toBeLessThanOrEqual(left);
  for (const { read } of silent) read();
  return [reading, ...silent];
}

const GZIP = 'accept-encoding: gzip\r\n';
const PLAIN = {};
/** A compressor keeps the whole body, because it is sent as one piece of a stream. */
const STREAM = { path: '/stream', headers: GZIP };
const ONE = { path: '/stream', headers: `${GZIP}x-caller: one\r\n` };
const MANY = { path: '/stream', headers: `${GZIP}x-caller: many\r\n` };
const BYTES = { ...UNLIMITED, maxBytes: 1.5 * RESPONSE_BYTES };
const STUCK = { ...UNLIMITED, maxStuck: 1 };

test.each<[string, SlowReaderLimits, object[], number[]]>([
  ['too many unread bytes → all but the newest response', BYTES, [PLAIN, PLAIN, PLAIN], [2]],
  ['too many stuck responses → all but the newest', STUCK, [PLAIN, PLAIN, PLAIN], [2]],
  ['too many bytes that wait for their compression → all but the newest response', BYTES, [STREAM, STREAM, STREAM], [2]],
  [
    'too many unread bytes of one caller → its oldest responses',
    { ...UNLIMITED, maxBytes: 2.5 * RESPONSE_BYTES },
    [ONE, MANY, MANY, MANY],
    [0, 3],
  ],
  ['too many stuck responses of one caller → its oldest', { ...UNLIMITED, maxStuck: 2 }, [ONE, MANY, MANY, MANY], [0, 3]],
])('%s are cut off, and no others', async (_, limits, requests, whole) => {
  const [reading, ...silent] = await connectClients(await serve(limits), requests, whole.length);
  expect(await reading?.bytes).toBeGreaterThan(WHOLE_BYTES);
  const bytes = await Promise.all(silent.map((client) => client.bytes));
  expect(bytes.flatMap((each, index) => (each > WHOLE_BYTES ? [index] : []))).toEqual(whole);
});

test('too many unread bytes, while a large response is stuck → that one is cut off, and not those of the caller with more', async () => {
  const port = await serve({ ...UNLIMITED, maxBytes: 2.5 * RESPONSE_BYTES });
  const stuck = connectClient(port, { ...ONE, isRead: false });
  await setTimeout(3_000);
  const others = [MANY, MANY].map((request) => connectClient(port, { ...request, isRead: false }));
  await waitUntil('only the others are open', () => {
    const callers = [...app.openResponses.values()].map(({ request }) => request.headers['x-caller']);
    return callers.length === others.length && callers.every((caller) => caller === 'many');
  });
  for (const { read } of [stuck, ...others]) read();
  expect(await stuck.bytes).toBeLessThan(WHOLE_BYTES);
  for (const { bytes } of others) expect(await bytes).toBeGreaterThan(WHOLE_BYTES);
});

test('a long body for a client that reads nothing → compressed before it is sent', async () => {
  const port = await serve(UNLIMITED);
  const client = connectClient(port, { isRead: false, headers: GZIP });
  await waitUntil('the response has been written', () => [...app.openResponses.keys()].some((response) => response.headersSent));
  expect([...app.openResponses].map(([response, { compressor }]) => [response.writableEnded, compressor])).toEqual([
    [true, null],
  ]);
  client.read();
  const bytes = await client.bytes;
  expect(bytes).toBeGreaterThan(WHOLE_BYTES);
  expect(bytes).toBeLessThan(RESPONSE_BYTES);
});

test('a response unread until the idle timeout → cut off, with nothing left in the buffers of the system', async () => {
  const port = await serve(UNLIMITED, 500);
  const closed = new Promise((resolve) => app.server.once('connection', (socket) => socket.once('close', resolve)));
  const client = connectClient(port, { isRead: false });
  await closed;
  expect(countUnsent(port)).toBe(process.platform === 'linux' ? 0 : null);
  client.read();
  expect(await client.bytes).toBeLessThan(RESPONSE_BYTES);
});
