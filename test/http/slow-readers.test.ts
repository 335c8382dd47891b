import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { trackOpenResponses } from '../../src/http/open-responses.js';
import { limitSlowReaders, type SlowReaderLimits } from '../../src/http/slow-readers.js';

/** More than the operating system buffers for one connection. */
const RESPONSE_BYTES = 16_000_000;
const UNLIMITED: SlowReaderLimits = { maxBytes: Number.POSITIVE_INFINITY, maxStuck: Number.POSITIVE_INFINITY };

let app: FastifyInstance;
afterEach(() => app.close());

/** Starts a server that sends a large response to every request. @returns its port */
async function serve(limits: SlowReaderLimits, connectionTimeout = 0): Promise<number> {
  app = Fastify({ connectionTimeout });
  trackOpenResponses(app);
  limitSlowReaders(app, limits);
  app.get('/', () => 'x'.repeat(RESPONSE_BYTES));
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

function connectClient(port: number, { isRead }: { isRead: boolean }): Client {
  const socket = connect({ host: '127.0.0.1', port });
  if (!isRead) socket.pause();
  let received = 0;
  socket.on('data', ({ length }) => {
    received += length;
  });
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  const bytes = new Promise<number>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve(received));
  });
  return { read: () => socket.resume(), bytes };
}

/** Connects a client that reads, and then three that start to read only when two of them have been cut off. */
async function connectFour(port: number): Promise<Client[]> {
  let opened = 0;
  app.server.on('connection', () => {
    opened += 1;
  });
  const reading = connectClient(port, { isRead: true });
  await reading.bytes;
  const silent = [
    connectClient(port, { isRead: false }),
    connectClient(port, { isRead: false }),
    connectClient(port, { isRead: false }),
  ];
  await new Promise<void>((resolve) => {
    const polling = setInterval(() => {
      app.server.getConnections((_, count) => {
        if (opened < 4 || count > 1) return;
        clearInterval(polling);
        resolve();
      });
    }, 50);
  });
  expect(countUnsent(port)).toBe(process.platform === 'linux' ? 1 : null);
  for (const { read } of silent) read();
  return [reading, ...silent];
}

test.each<[string, SlowReaderLimits]>([
  ['too many unread bytes', { ...UNLIMITED, maxBytes: 1.5 * RESPONSE_BYTES }],
  ['too many stuck responses', { ...UNLIMITED, maxStuck: 1 }],
])('%s → the oldest unread responses are cut off, and no others', async (_, limits) => {
  const [reading, first, second, third] = await connectFour(await serve(limits));
  expect(await reading?.bytes).toBeGreaterThan(RESPONSE_BYTES);
  expect(await third?.bytes).toBeGreaterThan(RESPONSE_BYTES);
  expect(await first?.bytes).toBeLessThan(RESPONSE_BYTES);
  expect(await second?.bytes).toBeLessThan(RESPONSE_BYTES);
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
