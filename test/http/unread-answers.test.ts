import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { limitUnreadAnswers } from '../../src/http/unread-answers.js';

/** More than the system takes for one connection. */
const ANSWER_BYTES = 16_000_000;

const app = Fastify();
let port = 0;
let opened = 0;
app.server.on('connection', () => {
  opened += 1;
});
beforeAll(async () => {
  limitUnreadAnswers(app, 1.5 * ANSWER_BYTES);
  app.get('/', () => 'x'.repeat(ANSWER_BYTES));
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

/** How many bytes of the answer come. */
function ask({ isRead }: { isRead: boolean }): { start: () => void; bytes: Promise<number> } {
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
  return { start: () => socket.resume(), bytes };
}

test('answers that nobody reads are cut off, the first of them first, and others are not', async () => {
  const first = ask({ isRead: false });
  const reading = ask({ isRead: true });
  expect(await reading.bytes).toBeGreaterThan(ANSWER_BYTES);
  const second = ask({ isRead: false });
  const third = ask({ isRead: false });
  await new Promise<void>((resolve) => {
    const looking = setInterval(() => {
      app.server.getConnections((_, count) => {
        if (opened < 4 || count > 1) return;
        clearInterval(looking);
        resolve();
      });
    }, 50);
  });
  for (const { start } of [first, second, third]) start();
  expect(await third.bytes).toBeGreaterThan(ANSWER_BYTES);
  expect(await first.bytes).toBeLessThan(ANSWER_BYTES);
  expect(await second.bytes).toBeLessThan(ANSWER_BYTES);
});
