import { EventEmitter } from 'node:events';
import type { WebSocket } from '@fastify/websocket';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { serveWebsocket } from '../../src/graphql-streams/websocket.js';

const KIB = 1024;

/** A WebSocket whose client reads when the test says so. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  protocol = 'graphql-transport-ws';
  isPaused = false;
  /** The pieces of messages that were sent, in their order. */
  readonly sent: { readonly text: string; readonly isLast: boolean }[] = [];
  readonly pings: Buffer[] = [];
  readonly #unread: (() => void)[] = [];

  send(piece: Buffer, { fin }: { fin: boolean }, whenRead: () => void): void {
    this.sent.push({ text: piece.toString(), isLast: fin });
    this.#unread.push(whenRead);
  }

  pong(_data: Buffer, _mask: boolean, whenRead: () => void): void {
    this.#unread.push(whenRead);
  }

  ping(text: Buffer): void {
    this.pings.push(text);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  close(): void {
    this.readyState = 3;
  }

  /** The client reads what was sent next. */
  async read(): Promise<void> {
    await jest.advanceTimersByTimeAsync(0);
    this.#unread.shift()?.();
    await jest.advanceTimersByTimeAsync(0);
  }

  async readAll(): Promise<void> {
    do await this.read();
    while (this.#unread.length > 0);
  }
}

/** Serves a fake WebSocket. Messages that begin with `result` count as results of subscriptions. */
function serve() {
  const socket = new FakeSocket();
  let isReset = false;
  let send: (message: string) => Promise<void> | void = () => undefined;
  const server = {
    opened(connection: { send: typeof send }) {
      send = connection.send;
      return async () => undefined;
    },
  };
  const messages = serveWebsocket(
    socket as unknown as WebSocket,
    server as never,
    {},
    {
      reset: () => {
        isReset = true;
      },
      write: (text) => ({ text, resultOf: text.startsWith('result') ? (text.split(' ')[1] ?? '') : null }),
    },
  );
  return { socket, messages, send: async (message: string) => send(message), wasReset: () => isReset };
}

const resultOf = (kibibytes: number) => `result${'x'.repeat(kibibytes * KIB - 6)}`;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a WebSocket whose client reads slowly', () => {
  test('results of several subscriptions wait → messages of the client are still read', async () => {
    const { socket, send } = serve();
    for (let n = 0; n < 16; n += 1) send(resultOf(1024));
    expect(socket.isPaused).toBe(false);
    await socket.readAll();
    expect(socket.sent).toHaveLength(16 * 16);
  });

  test('a client completes a subscription whose result waits → the result is not sent, and others are', async () => {
    const { socket, send, messages } = serve();
    const sent: string[] = [];
    for (const id of ['a', 'b', 'c']) send(`result ${id}`).then(() => sent.push(id));
    messages.drop('b');
    // The first piece of this message was sent already.
    messages.drop('a');
    await socket.readAll();
    expect(sent.toSorted()).toEqual(['a', 'b', 'c']);
    expect(socket.sent.map(({ text }) => text)).toEqual(['result a', 'result c']);
  });

  test('replies of more than 64 KiB wait → no further message is read until they are sent', async () => {
    const { socket, send } = serve();
    send('x'.repeat(65 * KIB));
    expect(socket.isPaused).toBe(true);
    await socket.readAll();
    expect(socket.isPaused).toBe(false);
  });

  test('pings of a client that reads no pongs → are not read any more', async () => {
    const { socket } = serve();
    for (let n = 0; n < 1000 && !socket.isPaused; n += 1) socket.emit('ping', Buffer.from('x'));
    expect(socket.isPaused).toBe(true);
    await socket.readAll();
    expect(socket.isPaused).toBe(false);
  });

  test('a long message → pieces that follow each other, and the next message after the last one', async () => {
    const { socket, send } = serve();
    send(resultOf(150));
    send('reply');
    await socket.readAll();
    expect(socket.sent.map(({ text, isLast }) => [text.length, isLast])).toEqual([
      [64 * KIB, false],
      [64 * KIB, false],
      [22 * KIB, true],
      [5, true],
    ]);
  });

  test('a client that takes long for a long message → is reset only once it reads nothing for 30 s', async () => {
    const { socket, send, wasReset } = serve();
    send(resultOf(1024));
    for (let piece = 0; piece < 10; piece += 1) {
      await jest.advanceTimersByTimeAsync(20_000);
      await socket.read();
    }
    expect([socket.pings.length, wasReset()]).toEqual([1, false]);
    await jest.advanceTimersByTimeAsync(31_000);
    expect(wasReset()).toBe(true);
  });

  test('a client that reads short messages and answers no ping → is reset', async () => {
    const { socket, send, wasReset } = serve();
    for (let n = 0; n < 5; n += 1) {
      send('result');
      await socket.readAll();
      await jest.advanceTimersByTimeAsync(10_000);
    }
    expect(wasReset()).toBe(true);
  });
});
