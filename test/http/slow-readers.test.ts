import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { limitSlowReaders, type SlowReaderLimits } from '../../src/http/slow-readers.js';

/** More than the system takes for one connection. */
const ANSWER_BYTES = 16_000_000;
const UNLIMITED: SlowReaderLimits = { maxBytes: Number.POSITIVE_INFINITY, maxStuck: Number.POSITIVE_INFINITY };

let app: FastifyInstance;
afterEach(() => app.close());

/** @returns the port of a server whose every answer is large */
async function serve(limits: SlowReaderLimits, connectionTimeout = 0): Promise<number> {
  app = Fastify({ connectionTimeout });
  limitSlowReaders(app, limits);
  app.get('/', () => 'x'.repeat(ANSWER_BYTES));
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
}

interface Client {
  readonly read: () => void;
  readonly bytes: Promise<number>;
}

/** How many connections of a port the system keeps something to be sent for, also once the process has closed them; null where it does not tell. */
function countUnsent(port: number): number | null {
  if (process.platform !== 'linux') return null;
  const local = new RegExp(`^ *\\d+: [0-9A-F]{8}:${port.toString(16).toUpperCase().padStart(4, '0')} \\S+ \\S+ (?!0{8})`, 'gm');
  return readFileSync('/proc/net/tcp', 'utf8').match(local)?.length ?? 0;
}

function ask(port: number, { isRead }: { isRead: boolean }): Client {
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

/** One client that reads, then three that do not until all but one of them are cut off. */
async function askFour(port: number): Promise<Client[]> {
  let opened = 0;
  app.server.on('connection', () => {
    opened += 1;
  });
  const reading = ask(port, { isRead: true });
  await reading.bytes;
  const silent = [ask(port, { isRead: false }), ask(port, { isRead: false }), ask(port, { isRead: false })];
  await new Promise<void>((resolve) => {
    const looking = setInterval(() => {
      app.server.getConnections((_, count) => {
        if (opened < 4 || count > 1) return;
        clearInterval(looking);
        resolve();
      });
    }, 50);
  });
  expect(countUnsent(port)).toBe(process.platform === 'linux' ? 1 : null);
  for (const { read } of silent) read();
  return [reading, ...silent];
}

test.each<[string, SlowReaderLimits]>([
  ['so many bytes', { ...UNLIMITED, maxBytes: 1.5 * ANSWER_BYTES }],
  ['so many answers', { ...UNLIMITED, maxStuck: 1 }],
])('beyond %s that nobody reads, answers are cut off, the first of them first, and others are not', async (_, limits) => {
  const [reading, first, second, third] = await askFour(await serve(limits));
  expect(await reading?.bytes).toBeGreaterThan(ANSWER_BYTES);
  expect(await third?.bytes).toBeGreaterThan(ANSWER_BYTES);
  expect(await first?.bytes).toBeLessThan(ANSWER_BYTES);
  expect(await second?.bytes).toBeLessThan(ANSWER_BYTES);
});

test('of an answer that is not read for as long as a connection may be silent, nothing is kept', async () => {
  const port = await serve(UNLIMITED, 500);
  const closed = new Promise((resolve) => app.server.once('connection', (socket) => socket.once('close', resolve)));
  const client = ask(port, { isRead: false });
  await closed;
  expect(countUnsent(port)).toBe(process.platform === 'linux' ? 0 : null);
  client.read();
  expect(await client.bytes).toBeLessThan(ANSWER_BYTES);
});
